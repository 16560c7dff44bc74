import { describe, expect, it } from 'vitest';
import { ReceivedRequest } from './testing/fake-transactions.ts';
import { PEER_FLOW, TestBed, write } from './testing/test-bed.ts';
import type { TransportFlow } from './transports/transport.ts';
import { ALLOWED, DROPPED } from './user-agent.ts';

describe('requests outside any call', () => {
  it('whom the owner does not admit gets one stateless reply, or none at all', () => {
    const bed = new TestBed();
    bed.admitted = { kind: 'refuse', reply: { status: 403 } };
    expect(bed.receive(write('INVITE', { body: 'offer' })).replies).toEqual([]);
    expect(bed.transactions.stateless).toEqual([{ status: 403 }]);
    bed.admitted = DROPPED;
    expect(bed.receive(write('OPTIONS')).replies).toEqual([]);
    expect(bed.transactions.discarded.length).toBe(1);
    expect(bed.incoming).toEqual([]);
    expect(bed.agent.sessions).toBe(0);
  });

  it('an INVITE without a Contact gets 400, unless its caller is from before RFC 3261', () => {
    const bed = new TestBed();
    const { headers, via, ...rest } = write('INVITE', { body: 'offer' });
    const without = headers.filter(([name]) => name !== 'contact');
    const invite = bed.receive({ ...rest, via, headers: without });
    expect(invite.last).toMatchObject({ status: 400, reason: 'Contact is missing' });
    expect(bed.incoming).toEqual([]);
    bed.receive({ ...rest, via: { ...via, branch: '1' }, headers: without });
    expect(bed.incoming).toHaveLength(1);
  });

  it('OPTIONS is answered with what we can', () => {
    const options = new TestBed().receive(write('OPTIONS'));
    expect(options.statuses).toEqual([200]);
    expect(options.header('allow')).toContain('REFER');
    expect(options.header('accept')).toBe('application/sdp, multipart/mixed');
    expect(options.header('supported')).toContain('timer');
  });

  it('OPTIONS is answered 503 while no calls are taken', () => {
    const bed = new TestBed({
      callbacks: {
        admit: () => ALLOWED,
        incoming: (session) => void bed.incoming.push(session),
        registering: () => null,
        retryAfterS: () => 5,
      },
    });
    const options = bed.receive(write('OPTIONS'));
    expect(options.statuses).toEqual([503]);
    expect(options.header('retry-after')).toBe('5');
  });

  it.each([
    ['MESSAGE', 405],
    ['PUBLISH', 405],
    ['FOO', 501],
  ])('%s is refused with %i and Allow', (method, status) => {
    const bed = new TestBed();
    bed.receive(write(method));
    expect(bed.transactions.stateless[0]?.status).toBe(status);
    expect(bed.transactions.stateless[0]?.headers?.[0]?.[0]).toBe('allow');
  });

  it.each([
    ['BYE', 481],
    ['INFO', 481],
    ['UPDATE', 481],
    ['PRACK', 481],
    ['NOTIFY', 481],
    ['REFER', 403],
    // Nothing can be subscribed to here.
    ['SUBSCRIBE', 489],
  ])('%s without a call gets %i', (method, status) => {
    expect(new TestBed().receive(write(method)).statuses).toEqual([status]);
  });

  it('in an unknown dialog gets 481, and nothing is kept of it', () => {
    const bed = new TestBed();
    expect(bed.receive(write('INVITE', { toTag: 'gone', body: 'offer' })).statuses).toEqual([]);
    expect(bed.receive(write('BYE', { toTag: 'gone' })).statuses).toEqual([]);
    expect(bed.transactions.stateless.map(({ status }) => status)).toEqual([481, 481]);
    bed.agent.acknowledged(write('ACK', { toTag: 'gone' }), bed.receive(write('OPTIONS')).flow);
  });

  it.each([
    ['an unknown extension', { headers: ['Require: foo'], body: 'x' }, 420],
    ['a body that is no SDP', { body: 'x', type: 'text/plain' }, 415],
    ['an Accept without SDP', { body: 'x', headers: ['Accept: text/foo'] }, 406],
    ['an unknown scheme', { uri: 'nobody:x', body: 'x' }, 416],
  ])('an INVITE with %s is refused', (_what, writing, status) => {
    const bed = new TestBed();
    bed.receive(write('INVITE', writing));
    expect(bed.transactions.stateless[0]?.status).toBe(status);
    expect(bed.incoming).toEqual([]);
  });

  it('REGISTER goes to the owner, or is 405 where there is no registrar', () => {
    const bed = new TestBed();
    expect(bed.receive(write('REGISTER')).statuses).toEqual([405]);
    bed.registered = { status: 200 };
    expect(bed.receive(write('REGISTER')).statuses).toEqual([200]);
  });

  it('an owner that throws loses that call and no other', () => {
    const bed = new TestBed({
      callbacks: {
        admit: () => ALLOWED,
        registering: () => null,
        incoming: () => {
          throw new Error('broken');
        },
      },
    });
    const invite = new ReceivedRequest(write('INVITE', { body: 'offer' }), PEER_FLOW);
    expect(() => bed.agent.received(invite.request, invite)).toThrow('broken');
    expect(invite.statuses).toEqual([500]);
    expect(bed.agent.sessions).toBe(0);
  });

  it('a thousand calls leave no session, timer or pending INVITE', () => {
    const bed = new TestBed();
    for (let turn = 0; turn < 1000; turn++) {
      const call = bed.established({ body: 'offer', callId: `call-${turn}`, fromTag: `tag-${turn}` });
      if (turn % 2 === 0) call.request('BYE');
      else {
        call.session.hangUp();
        bed.transactions.last.answer(200);
      }
    }
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });
});

describe('requests in a call whose peer has a connection of its own', () => {
  const WEB: TransportFlow = { ...PEER_FLOW, protocol: 'ws', connection: 2 ** 40 + 1 };
  const AGAIN: TransportFlow = { ...WEB, connection: 2 ** 40 + 2 };
  const PAGE = {
    body: 'offer',
    via: 'page.invalid',
    headers: ['Contact: <sip:x@page.invalid;transport=ws>'],
  };
  function webBed(): TestBed {
    const bed: TestBed = new TestBed({
      callbacks: {
        admit: () => ALLOWED,
        registering: () => null,
        incoming: (session) => void bed.incoming.push(session),
        isOfPeer: (session, { protocol }) => protocol === session.flow.protocol,
      },
    });
    return bed;
  }

  it.each(['UPDATE', 'INVITE', 'REFER', 'INFO', 'BYE'])(
    '%s by another way gets 481, and changes nothing',
    (method) => {
      const bed = webBed();
      const call = bed.established(PAGE, WEB);
      const before = [...call.listener.log];
      const headers = ['Contact: <sip:x@192.0.2.9>', 'Refer-To: <sip:1002@192.0.2.1>'];
      const stolen = write(method, { toTag: call.tag, seq: 9, headers });
      expect(bed.receive(stolen, PEER_FLOW).replies).toEqual([]);
      expect(bed.transactions.stateless.map(({ status }) => status)).toEqual([481]);
      expect(call.listener.log).toEqual(before);
      expect(call.session.connection).toBe(WEB.connection);
    },
  );

  it('an ACK by another way is none', () => {
    const bed = webBed();
    const call = bed.invited(PAGE, WEB);
    call.session.answer(Buffer.from('answer'));
    bed.agent.acknowledged(write('ACK', { toTag: call.tag }), PEER_FLOW);
    expect(call.listener.log).toEqual([]);
    call.ack();
    expect(call.listener.log).toEqual(['confirmed']);
  });

  it('the session says when its peer is reached by another connection, once', () => {
    const bed = webBed();
    const call = bed.established(PAGE, WEB);
    let moves = 0;
    Object.assign(call.listener, { moved: () => void moves++ });
    const update = (seq: number) =>
      bed.receive(write('UPDATE', { toTag: call.tag, seq, ...PAGE, body: '' }), AGAIN);
    expect(update(2).statuses).toEqual([200]);
    expect(update(3).statuses).toEqual([200]);
    expect([moves, call.session.connection]).toEqual([1, AGAIN.connection]);
    call.session.follow(WEB);
    expect([moves, call.session.connection]).toEqual([2, WEB.connection]);
  });
});
