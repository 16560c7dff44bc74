import { describe, expect, test } from 'vitest';
import { headerOf } from '../message.ts';
import { setUp } from '../testing/two-layers.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { TransactionLayer } from './layer.ts';
import { testRequest } from './test-request.ts';

describe('the transaction layer', () => {
  test('carries a request and its answer, once each, and forgets both', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp();
    a.layer.request(testRequest('OPTIONS'), flow, events);
    timers.advance(100);
    expect(b.user.notified).toEqual(['OPTIONS']);
    expect(heard).toEqual([200]);
    expect(network.takeSent()).toEqual(['OPTIONS sip:600@b.example SIP/2.0', 'SIP/2.0 200 OK']);
    rest();
    expect(network.sent).toEqual([]);
  });

  test('keeps an answered request for 64*T1 and a second more at most, each in its turn (timers J and L)', () => {
    const { a, b, flow, events, timers, rest } = setUp();
    for (const [index, method] of ['OPTIONS', 'INVITE', 'OPTIONS', 'OPTIONS'].entries()) {
      a.layer.request(testRequest(method, { callId: `call-${index}` }), flow, events);
      timers.advance(index === 2 ? 5_000 : 400);
    }
    expect(b.layer.count).toBe(4);
    // The first came at 5 ms, the third at 805; now it is 6,200.
    timers.advance(25_800);
    expect(b.layer.count).toBe(4);
    timers.advance(1_900);
    expect(b.layer.count).toBe(1);
    timers.advance(5_000);
    expect(b.layer.count).toBe(0);
    rest();
  });

  test('answers 100 by itself when the user is silent for 200 ms (RFC 3261 §17.2.1)', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp();
    b.user.answer = () => {};
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(204);
    expect(network.takeSent()).toEqual(['INVITE sip:600@b.example SIP/2.0']);
    timers.advance(10);
    expect(network.takeSent()).toEqual(['SIP/2.0 100 Trying']);
    b.user.transactions[0]?.respond({ status: 180, toTag: 'b1' });
    b.user.transactions[0]?.respond({ status: 486, toTag: 'b1' });
    timers.advance(100);
    expect(heard).toEqual([180, 486]);
    expect(network.takeSent()).toEqual([
      'SIP/2.0 180 Ringing',
      'SIP/2.0 486 Busy Here',
      'ACK sip:600@b.example SIP/2.0',
    ]);
    expect(b.user.notified).toEqual(['INVITE']);
    rest();
  });

  test('hands every 2xx and the ACK of a 2xx to the users (RFC 6026)', () => {
    const { a, b, flow, heard, events, timers, rest } = setUp();
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    b.user.transactions[0]?.respond({ status: 200, toTag: 'b1' });
    timers.advance(50);
    expect(heard).toEqual([200, 200]);
    a.layer.sendAck(testRequest('ACK', { toTag: 'b1' }), flow);
    timers.advance(50);
    expect(b.user.notified).toEqual(['INVITE', 'ACK']);
    rest();
  });

  test('acknowledges a refusal on the branch of the INVITE with the To tag of the response (RFC 3261 §17.1.1.3)', () => {
    const { a, b, flow, events, timers, network, rest } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 603, toTag: 'declined' });
    const route = ['route', '<sip:10.0.0.2;lr>'] as const;
    const { request } = a.layer.request(testRequest('INVITE', { headers: [route] }), flow, events);
    timers.advance(100);
    const ack = network.sent[2] ?? '';
    expect(ack).toContain(`branch=${request.via.branch}`);
    expect(ack).toContain('tag=declined');
    expect(ack).toContain('CSeq: 1 ACK');
    expect(ack).toContain('Route: <sip:10.0.0.2;lr>');
    expect(ack).not.toContain('INVITE');
    rest();
  });

  test('repeats a response byte by byte, whatever is in it', () => {
    const { a, b, flow, events, timers, network, rest } = setUp();
    const body = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const headers = [
      ['content-type', 'application/octet-stream'],
      ['subject', 'Grüße, 你好'],
    ] as const;
    b.user.answer = (transaction) => transaction.respond({ status: 200, headers, body });
    const pieces: Buffer[] = [];
    b.node.send = (_flow, bytes) => pieces.push(bytes) > 0;
    a.layer.request(testRequest('OPTIONS'), flow, events);
    timers.advance(100);
    b.node.deliver(Buffer.from(network.sent[0] ?? ''), a.node);
    expect(pieces[1]?.equals(pieces[0] ?? body)).toBe(true);
    expect(pieces[0]?.subarray(-256).equals(body)).toBe(true);
    rest();
  });

  test('answers a repeated request with the same response and does not tell the user again', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp();
    a.layer.request(testRequest('OPTIONS'), flow, events);
    timers.advance(100);
    const [request, response] = network.sent;
    b.node.deliver(Buffer.from(request ?? ''), a.node);
    expect(network.sent[2]).toBe(response);
    expect(b.user.notified).toEqual(['OPTIONS']);
    timers.advance(100);
    expect(heard).toEqual([200]);
    rest();
  });
});

describe('CANCEL', () => {
  test('waits for a provisional response, then ends the INVITE with 487 (RFC 3261 §9.1)', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp();
    b.user.answer = () => {};
    const { cancel } = a.layer.request(testRequest('INVITE'), flow, events);
    cancel('SIP;cause=200;text="Call completed elsewhere"');
    timers.advance(100);
    expect(network.takeSent()).toEqual(['INVITE sip:600@b.example SIP/2.0']);
    timers.advance(300);
    expect(b.user.notified).toEqual(['INVITE', 'CANCEL']);
    expect(heard).toEqual([487]);
    expect(network.sent.find((text) => text.startsWith('CANCEL'))).toContain('Call completed elsewhere');
    expect(network.takeSent()).toEqual([
      'SIP/2.0 100 Trying',
      'CANCEL sip:600@b.example SIP/2.0',
      'SIP/2.0 200 OK',
      'SIP/2.0 487 Request Terminated',
      'ACK sip:600@b.example SIP/2.0',
    ]);
    rest();
  });

  test('that crosses a 200 is answered, tells nobody, and the 200 reaches the caller', () => {
    const { a, b, flow, heard, events, timers, rest } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 180, toTag: 'b1' });
    const { cancel } = a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    cancel();
    b.user.transactions[0]?.respond({ status: 200, toTag: 'b1' });
    timers.advance(100);
    expect(heard).toEqual([180, 200]);
    expect(b.user.notified).toEqual(['INVITE']);
    rest();
  });

  test('after a final response sends nothing, and twice sends one', () => {
    const { a, b, flow, events, timers, network, rest } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 180, toTag: 'b1' });
    const ringing = a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    ringing.cancel();
    ringing.cancel();
    timers.advance(50);
    ringing.cancel();
    timers.advance(50);
    expect(network.takeSent().filter((context) => context.startsWith('CANCEL'))).toHaveLength(1);
    const options = a.layer.request(testRequest('OPTIONS'), flow, events);
    options.cancel();
    timers.advance(50);
    expect(network.takeSent().filter((context) => context.startsWith('CANCEL'))).toHaveLength(0);
    rest();
  });

  test('of an unknown INVITE is answered 481 (RFC 3261 §9.2)', () => {
    const { a, b, flow, heard, events, timers, rest } = setUp();
    a.layer.request(testRequest('CANCEL'), flow, events);
    timers.advance(100);
    expect(heard).toEqual([481]);
    expect(b.user.notified).toEqual([]);
    rest();
  });

  test('without a final response counts as done after 64*T1 (RFC 3261 §9.1)', () => {
    const { a, b, flow, heard, events, timers } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 180, toTag: 'b1' });
    b.user.cancelled = () => {};
    const { cancel } = a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    cancel();
    timers.advance(31_900);
    expect(heard).toEqual([180]);
    timers.advance(200);
    expect(heard).toEqual([180, 'timeout']);
    expect(a.layer.count).toBe(0);
    b.layer.close();
    expect([b.layer.count, timers.count]).toEqual([0, 0]);
  });
});

describe('what the layer refuses', () => {
  test('is a request that came by two ways: 482 (RFC 3261 §8.2.2.2)', () => {
    const { a, b, flow, heard, events, timers, rest } = setUp();
    const request = testRequest('INVITE');
    a.layer.request(request, flow, events);
    a.layer.request(request, flow, events);
    timers.advance(100);
    expect(heard.toSorted()).toEqual([200, 482]);
    expect(b.user.notified).toEqual(['INVITE']);
    rest();
  });

  test.each(['INVITE', 'OPTIONS'])('is no %s that comes by another way after it was refused', (method) => {
    const { a, b, flow, heard, events, timers, rest } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 404 });
    const request = testRequest(method);
    a.layer.request(request, flow, events);
    timers.advance(100);
    a.layer.request(request, flow, events);
    timers.advance(100);
    expect(heard).toEqual([404, 404]);
    expect(b.user.notified).toEqual([method, method]);
    rest();
  });

  test('is an INVITE of ours that came back unchanged, but not one with another target', () => {
    const { a, b, flow, events, timers, network, rest } = setUp();
    b.user.answer = () => {};
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    const through = 'Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKproxy\r\n';
    const back = (network.sent[0] ?? '').replace('Via:', `${through}Via:`);
    network.sent.length = 0;
    a.node.deliver(Buffer.from(back), b.node);
    expect(network.takeSent()).toEqual(['SIP/2.0 482 Loop Detected']);
    a.node.deliver(Buffer.from(back.replace('sip:600@', 'sip:601@')), b.node);
    expect(network.takeSent()).toEqual(['SIP/2.0 200 OK']);
    b.user.transactions[0]?.respond({ status: 480 });
    rest();
  });

  test('is what exceeds the cap: 503 with Retry-After, and nothing is kept', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp('udp', 2);
    const strangers = a.node;
    for (let i = 0; i < 5; i++) {
      const layer = new TransactionLayer({ timers, transports: strangers, failed: () => {} });
      strangers.user = layer;
      layer.request(testRequest('OPTIONS'), flow, events);
      timers.advance(100);
    }
    expect(heard).toEqual([200, 200, 503, 503, 503]);
    expect(b.layer.count).toBe(2);
    expect(network.sent.at(-1)).toContain('Retry-After: 5');
    expect(b.layer.counts.overloaded).toBe(3);
    strangers.user = a.layer;
    rest();
  });

  test('is whatever its user refuses statelessly: one answer, nothing kept, the same tag each time', () => {
    const { a, b, flow, heard, events, timers, network } = setUp();
    b.user.answer = (transaction, request) =>
      b.layer.respondStatelessly(request, transaction.flow, { status: 403 });
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    expect(heard).toEqual([403]);
    expect(b.layer.count).toBe(0);
    const [request, response] = network.sent;
    b.node.deliver(Buffer.from(request ?? ''), a.node);
    expect(network.sent.at(-1)).toBe(response);
    timers.advance(70_000);
    expect(network.sent.filter((text) => text.startsWith('SIP/2.0'))).toHaveLength(2);
    expect(timers.count).toBe(0);
  });
});

describe('when something breaks', () => {
  test('a user that throws means 500, and a word to whoever logs', () => {
    const { a, b, flow, heard, events, timers, errors, rest } = setUp();
    b.user.answer = () => {
      throw new Error('thrown on purpose');
    };
    a.layer.request(testRequest('REGISTER'), flow, events);
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(100);
    expect(heard).toEqual([500, 500]);
    expect(errors).toHaveLength(2);
    rest();
  });

  test('a client user that throws is logged, too', () => {
    const { a, flow, timers, errors, rest } = setUp();
    const events = {
      responded: () => {
        throw new Error('thrown on purpose');
      },
      failed: () => {},
    };
    a.layer.request(testRequest('OPTIONS'), flow, events);
    timers.advance(100);
    expect(errors).toHaveLength(1);
    rest();
  });

  test('a network that refuses fails the request after it was begun', () => {
    const { a, flow, heard, events, timers, rest } = setUp();
    a.node.up = false;
    a.layer.request(testRequest('INVITE'), flow, events);
    a.layer.request(testRequest('BYE'), flow, events);
    expect(heard).toEqual([]);
    timers.advance(10);
    expect(heard).toEqual(['transport', 'transport']);
    rest();
  });

  test('a connection that breaks fails the requests on it, and a response goes by a new one (RFC 3261 §18.2.2)', async () => {
    const { a, b, flow, heard, events, timers, network } = setUp('tcp');
    b.user.answer = () => {};
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(50);
    a.layer.flowClosed(flow);
    expect(heard).toEqual(['transport']);
    expect(a.layer.count).toBe(0);
    const flows: TransportFlow[] = [];
    b.node.send = (by, bytes) => {
      flows.push(by);
      if (by.connection === 2) network.carry(b.node, by.remote, bytes);
      return by.connection === 2;
    };
    b.user.transactions[0]?.respond({ status: 480 });
    await Promise.resolve();
    await Promise.resolve();
    expect(flows.map(({ connection, remote }) => [connection, remote.port])).toEqual([
      [1, 5060],
      [2, 5060],
    ]);
    timers.advance(70_000);
    expect([a.layer.counts.strays, b.layer.count, timers.count]).toEqual([1, 0, 0]);
  });

  test('a stray response is dropped and counted', () => {
    const { a, b, flow, heard, events, timers, network, rest } = setUp();
    a.layer.request(testRequest('OPTIONS'), flow, events);
    timers.advance(100);
    const stray = (network.sent[1] ?? '').replace(/branch=[^;\r]*/, 'branch=z9hG4bKnobody');
    a.node.deliver(Buffer.from(stray), b.node);
    expect(heard).toEqual([200]);
    expect(a.layer.counts.strays).toBe(1);
    rest();
  });
});

describe('elements of RFC 2543, without the magic cookie', () => {
  test('are matched by Request-URI, tags, Call-ID, CSeq and Via (RFC 3261 §17.2.3)', () => {
    const { a, b, flow, events, timers, network } = setUp();
    b.user.answer = (transaction) => transaction.respond({ status: 486, toTag: 'b1' });
    a.layer.request(testRequest('INVITE'), flow, events);
    timers.advance(100);
    timers.advance(70_000);
    const old = (text: string | undefined) => Buffer.from((text ?? '').replace(/branch=[^;\r]*;/, ''));
    const [invite, , ack] = network.sent;
    network.sent.length = 0;
    b.user.notified.length = 0;
    b.node.deliver(old(invite), a.node);
    b.node.deliver(old(invite), a.node);
    expect(b.user.notified).toEqual(['INVITE']);
    expect(network.takeSent()).toEqual(['SIP/2.0 486 Busy Here', 'SIP/2.0 486 Busy Here']);
    b.node.deliver(old(ack), a.node);
    timers.advance(70_000);
    expect(b.user.notified).toEqual(['INVITE']);
    expect(network.takeSent()).toEqual([]);
    expect(b.layer.count).toBe(0);
  });

  test('are answered at the port of their Via when they ask for no rport (RFC 3261 §18.2.2)', () => {
    const { a, b, flow, events, timers, network } = setUp();
    a.layer.request(testRequest('OPTIONS'), flow, events);
    const flows: TransportFlow[] = [];
    b.node.send = (by) => flows.push(by) > 0;
    const text = (network.sent[0] ?? '').replace(';rport', '').replace('10.0.0.1:5060', '10.0.0.1:5070');
    b.node.deliver(Buffer.from(text), a.node);
    timers.advance(50);
    expect(flows.map(({ remote }) => remote.port)).toEqual([5070, 5060]);
    expect(headerOf(testRequest('OPTIONS'), 'cseq')).toBe('1 OPTIONS');
    a.layer.close();
    b.layer.close();
  });
});
