import { describe, expect, it } from 'vitest';
import { PEER_FLOW, settle, TestBed } from '../testing/test-bed.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { UNDECIDED_MS } from './own-offers.ts';

describe('requests inside a call', () => {
  it('that come out of order get 500 (RFC 3261 §12.2.2)', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('INFO', { seq: 9 }).statuses).toEqual([200]);
    expect(call.request('INFO', { seq: 8 }).statuses).toEqual([500]);
    expect(call.request('INFO', { seq: 10 }).statuses).toEqual([200]);
  });

  it('that cross our BYE get 481, but for the peer’s own BYE', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.session.hangUp();
    expect(call.request('INFO').statuses).toEqual([481]);
    expect(call.request('BYE').statuses).toEqual([200]);
  });

  it('of another Call-ID or peer get 481', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('BYE', { callId: 'other' }).statuses).toEqual([481]);
    expect(call.request('BYE', { fromTag: 'other' }).statuses).toEqual([481]);
    expect(call.listener.ends).toEqual([]);
  });

  it('INFO is answered and told, with a package it is refused', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('INFO', { body: 'Signal=5', type: 'application/dtmf-relay' }).statuses).toEqual([
      200,
    ]);
    expect(call.listener.log.at(-1)).toBe('informed application/dtmf-relay Signal=5');
    expect(call.request('INFO', { headers: ['Info-Package: foo'] }).statuses).toEqual([469]);
  });

  it('OPTIONS is answered; MESSAGE, NOTIFY and SUBSCRIBE are not for us', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('OPTIONS').statuses).toEqual([200]);
    const message = call.request('MESSAGE');
    expect(message.statuses).toEqual([405]);
    expect(message.header('allow')).toContain('INVITE');
    expect(message.header('allow')).not.toContain('REGISTER');
    expect(call.request('NOTIFY').statuses).toEqual([481]);
    expect(call.request('SUBSCRIBE').statuses).toEqual([489]);
  });
});

describe('our BYE', () => {
  it('has the CSeq 1 where it is our first request, and the call is found until its final response', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.session.hangUp();
    const bye = bed.transactions.last;
    expect(bye.request.cseq).toEqual({ number: 1, method: 'BYE' });
    bye.answer(100);
    expect(bed.agent.sessions).toBe(1);
    bye.answer(200);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });
});

describe('REFER (RFC 3515)', () => {
  it('accepted is 202, and NOTIFY tells how it goes', () => {
    const bed = new TestBed();
    const call = bed.established();
    const refer = call.request('REFER', { headers: ['Refer-To: <sip:300@example.com>'] });
    expect(call.listener.log.at(-1)).toBe('referred sip:300@example.com null');
    const progress = call.listener.accept?.(true);
    expect(refer.statuses).toEqual([202]);
    progress?.notify(180);
    progress?.notify(200);
    progress?.notify(200);
    const notified = bed.transactions.sent.map((sent) => [
      sent.header('subscription-state'),
      `${sent.request.body}`,
    ]);
    expect(notified).toEqual([
      ['active;expires=180', 'SIP/2.0 100 Trying\r\n'],
      ['active;expires=180', 'SIP/2.0 180 Ringing\r\n'],
      ['terminated;reason=noresource', 'SIP/2.0 200 OK\r\n'],
    ]);
    expect(bed.transactions.last.header('event')).toBe('refer;id=2');
    expect(bed.transactions.last.header('content-type')).toBe('message/sipfrag;version=2.0');
  });

  it('refused is what was said, and nothing is notified', () => {
    const bed = new TestBed();
    const call = bed.established();
    const refer = call.request('REFER', { headers: ['Refer-To: <sip:900@example.com>'] });
    expect(call.listener.accept?.(403)).toBeNull();
    expect(call.listener.accept?.(true)).toBeNull();
    expect(refer.statuses).toEqual([403]);
    expect(bed.transactions.sent).toEqual([]);
  });

  it('without exactly one Refer-To is 400', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('REFER').statuses).toEqual([400]);
    const two = ['Refer-To: <sip:1@a.example>, <sip:2@a.example>'];
    expect(call.request('REFER', { headers: two }).last.status).toBe(400);
  });

  it('tells which call is to be replaced (RFC 3891)', () => {
    const bed = new TestBed();
    const call = bed.established();
    const replaces = 'abc%40host%3Bto-tag%3D1%3Bfrom-tag%3D2';
    call.request('REFER', { headers: [`Refer-To: <sip:300@example.com?Replaces=${replaces}>`] });
    expect(call.listener.log.at(-1)).toContain(' abc@host;to-tag=1;from-tag=2');
  });
});

describe('a re-INVITE of ours', () => {
  const WEB: TransportFlow = { ...PEER_FLOW, protocol: 'ws', connection: 2 ** 40 + 1 };
  const AGAIN: TransportFlow = { ...WEB, connection: 2 ** 40 + 2 };

  function reinvited(flow?: TransportFlow) {
    const bed = new TestBed();
    const call = bed.established(undefined, flow);
    const statuses: number[] = [];
    call.session.reinvite(Buffer.from('our offer'), (_, status) => void statuses.push(status));
    return { bed, call, statuses, sent: bed.transactions.last };
  }

  it.each([
    ['a phone', PEER_FLOW],
    ['a page', WEB],
  ])('that %s does not answer ends the call', (_, flow) => {
    const { call, statuses, sent } = reinvited(flow);
    sent.events.failed('timeout');
    expect(statuses).toEqual([408]);
    expect(call.listener.log.at(-1)).toBe('ended by timeout null null');
  });

  it.each([
    [
      'has no connection',
      (sent: { events: { failed(why: 'transport'): void } }) => sent.events.failed('transport'),
      WEB,
    ],
    [
      'left its connection',
      (sent: { events: { failed(why: 'timeout'): void } }) => sent.events.failed('timeout'),
      AGAIN,
    ],
  ])('to a page that %s does not end the call: it may come back', async (_, fails, now) => {
    const { call, statuses, sent } = reinvited(WEB);
    call.session.follow(now);
    fails(sent);
    await settle();
    expect([statuses, call.listener.ends]).toEqual([[0], []]);
  });

  it('that is never decided on is cancelled, and the next one goes out', () => {
    const { bed, call, statuses, sent } = reinvited(WEB);
    sent.answer(180);
    bed.timers.advance(UNDECIDED_MS - 1);
    expect(sent.cancelled).toBeNull();
    bed.timers.advance(1);
    expect(sent.cancelled).not.toBeNull();
    call.session.reinvite(Buffer.from('another'), () => undefined);
    sent.answer(487);
    expect(statuses).toEqual([487]);
    expect(`${bed.transactions.last.request.body}`).toBe('another');
    bed.transactions.last.answer(200);
    expect(bed.timers.count).toBe(1);
  });

  it('that refreshes the session of a page that is away is sent again when it is back', async () => {
    const bed = new TestBed();
    const call = bed.established(
      { body: 'offer', headers: ['Session-Expires: 600;refresher=uas', 'Supported: timer'] },
      WEB,
    );
    bed.timers.advance(300_000);
    expect(bed.transactions.methods()).toEqual(['INVITE']);
    bed.transactions.last.events.failed('transport');
    await settle();
    call.session.follow(AGAIN);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE']);
    expect(bed.transactions.last.flow).toBe(AGAIN);
  });
});
