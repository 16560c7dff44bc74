import { describe, expect, it } from 'vitest';
import { PEER_FLOW, settle, TestBed, write } from '../testing/test-bed.ts';

const HOLD = Buffer.from('hold');

describe('offers inside a call', () => {
  it('re-INVITE is offered, answered, and its 200 repeated until the ACK', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE', { body: 'hold' });
    expect(call.listener.log).toEqual(['confirmed', 'offered hold']);
    call.listener.answer?.(Buffer.from('held'));
    call.listener.answer?.(Buffer.from('twice'));
    expect(reinvite.statuses).toEqual([200]);
    expect(reinvite.last.body?.toString()).toBe('held');
    bed.timers.advance(500);
    expect(reinvite.statuses).toEqual([200, 200]);
    call.ack(2);
    bed.timers.advance(10_000);
    expect(reinvite.statuses).toEqual([200, 200]);
    expect(call.listener.log).toEqual(['confirmed', 'offered hold']);
  });

  it('re-INVITE without SDP asks for our offer; the answer comes with the ACK', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE');
    call.listener.answer?.(Buffer.from('our offer'));
    expect(reinvite.last.body?.toString()).toBe('our offer');
    call.ack(2, 'their answer');
    expect(call.listener.log).toEqual(['confirmed', 'offered', 'confirmed their answer']);
  });

  it('a refused offer is 488 and the call goes on', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE', { body: 'video' });
    call.listener.answer?.(null);
    expect(reinvite.statuses).toEqual([488]);
    expect(bed.agent.sessions).toBe(1);
  });

  it('no ACK to the answer of a re-INVITE ends the call with BYE', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.request('INVITE', { body: 'hold' });
    call.listener.answer?.(HOLD);
    bed.timers.advance(32_000);
    expect(bed.transactions.methods()).toEqual(['BYE']);
    expect(call.listener.ends.length).toBe(1);
  });

  it('an offer that overlaps one of the same side gets 500 with Retry-After (RFC 3261 §14.2)', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.request('INVITE', { body: 'first' });
    const second = call.request('INVITE', { body: 'second' });
    expect(second.statuses).toEqual([500]);
    expect(Number(second.header('retry-after'))).toBeLessThanOrEqual(10);
    expect(call.request('UPDATE', { body: 'third' }).statuses).toEqual([500]);
  });

  it('a re-INVITE before our first answer gets 500 with Retry-After', () => {
    const bed = new TestBed();
    const call = bed.invited();
    call.session.progress(180);
    const second = call.request('INVITE', { body: 'second' });
    expect(second.statuses).toEqual([500]);
    expect(second.header('retry-after')).toBeDefined();
    expect(call.invite.statuses).toEqual([180]);
  });

  it('glare: an offer that crosses ours gets 491', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.session.reinvite(HOLD, () => {});
    expect(call.request('INVITE', { body: 'theirs' }).statuses).toEqual([491]);
    expect(call.request('UPDATE', { body: 'theirs' }).statuses).toEqual([491]);
  });

  it('glare: our re-INVITE that gets 491 is sent again after 0 to 2 s by the callee', () => {
    const bed = new TestBed();
    const call = bed.established();
    const answers: (string | undefined)[] = [];
    call.session.reinvite(HOLD, (sdp) => void answers.push(sdp?.toString()));
    bed.transactions.last.answer(491);
    // The peer's offer gets through while we wait.
    const theirs = call.request('INVITE', { body: 'theirs' });
    call.listener.answer?.(Buffer.from('fine'));
    call.ack(2);
    expect(theirs.statuses).toEqual([200]);
    bed.timers.advance(990);
    expect(bed.transactions.sent.length).toBe(1);
    bed.timers.advance(10);
    expect(bed.transactions.sent.length).toBe(2);
    bed.transactions.last.answer(200, { body: Buffer.from('held') });
    expect(answers).toEqual(['held']);
    expect(bed.transactions.acks.at(-1)?.request.cseq).toEqual({ number: 2, method: 'ACK' });
  });

  it('glare: the caller, whose Call-ID it is, waits 2.1 to 4 s', () => {
    for (const [random, waitMs] of [
      [0, 2100],
      [0.999, 4000],
    ] as const) {
      const bed = new TestBed({ random: () => random });
      const { session } = bed.call();
      bed.transactions.last.answer(200, { body: Buffer.from('answer') });
      session.reinvite(HOLD, () => {});
      bed.transactions.last.answer(491);
      bed.timers.advance(waitMs - 10);
      expect(bed.transactions.sent.length).toBe(2);
      bed.timers.advance(10);
      expect(bed.transactions.sent.length).toBe(3);
    }
  });

  it('glare without an end: after five tries the offer counts as refused', () => {
    const bed = new TestBed();
    const call = bed.established();
    const answers: unknown[] = [];
    call.session.reinvite(HOLD, (sdp) => void answers.push(sdp));
    for (let turn = 0; turn < 10 && answers.length === 0; turn++) {
      bed.transactions.last.answer(491);
      bed.timers.advance(4000);
    }
    expect(answers).toEqual([null]);
    expect(bed.transactions.sent.length).toBe(5);
  });

  it('our offers wait for the ACK of the call and for each other', () => {
    const bed = new TestBed();
    const call = bed.invited();
    call.session.answer(Buffer.from('answer'));
    const answers: (string | undefined)[] = [];
    call.session.reinvite(HOLD, (sdp) => void answers.push(sdp?.toString()));
    call.session.reinvite(Buffer.from('resume'), (sdp) => void answers.push(sdp?.toString()));
    expect(bed.transactions.sent).toEqual([]);
    call.ack();
    expect(bed.transactions.sent.length).toBe(1);
    bed.transactions.last.answer(200, { body: Buffer.from('one') });
    expect(bed.transactions.sent.length).toBe(2);
    bed.transactions.last.answer(200, { body: Buffer.from('two') });
    expect(answers).toEqual(['one', 'two']);
  });

  it('every repetition of the 2xx to our re-INVITE is acknowledged again', () => {
    const bed = new TestBed();
    const call = bed.established();
    let told = 0;
    call.session.reinvite(HOLD, () => void told++);
    bed.transactions.last.answer(200, { body: HOLD });
    bed.transactions.last.answer(200, { body: HOLD });
    expect(bed.transactions.acks.length).toBe(2);
    expect(told).toBe(1);
  });

  it('a re-INVITE refused with 488 leaves the call as it was; 481 and silence end it', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.session.reinvite(HOLD, () => {});
    bed.transactions.last.answer(488);
    expect(call.listener.ends).toEqual([]);
    call.session.reinvite(HOLD, () => {});
    bed.transactions.last.events.failed('timeout');
    expect(call.listener.log.at(-1)).toBe('ended by timeout null null');
    expect(bed.transactions.last.request.method).toBe('BYE');
  });

  it('T6: a challenge to our re-INVITE or BYE is never answered, whatever realm it names', () => {
    const bed = new TestBed();
    const { session, listener } = bed.call({ credentials: { username: 'u', password: 'p' } });
    const challenge = ['www-authenticate', 'Digest realm="trunk", nonce="n1", qop="auth"'] as const;
    bed.transactions.last.answer(401, { headers: [challenge] });
    bed.transactions.last.answer(200, { body: Buffer.from('answer') });
    session.reinvite(HOLD, () => {});
    const proxy = ['proxy-authenticate', 'Digest realm="trunk", nonce="n2", qop="auth"'] as const;
    const reinvite = bed.transactions.last;
    expect(reinvite.request.method).toBe('INVITE');
    reinvite.answer(407, { headers: [proxy] });
    session.hangUp();
    bed.transactions.last.answer(407, { headers: [proxy] });
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE', 'INVITE', 'BYE']);
    for (const sent of bed.transactions.sent.slice(2)) {
      expect(sent.header('authorization')).toBeUndefined();
      expect(sent.header('proxy-authorization')).toBeUndefined();
    }
    expect(listener.ends.length).toBe(1);
    expect(bed.agent.sessions).toBe(0);
  });

  it('CANCEL of a re-INVITE gets 487 and the call goes on', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE', { body: 'hold' });
    bed.agent.cancelled(reinvite, reinvite.request);
    expect(reinvite.statuses).toEqual([487]);
    call.listener.answer?.(HOLD);
    expect(reinvite.statuses).toEqual([487]);
    expect(call.listener.ends).toEqual([]);
  });

  it('a BYE while an offer is open answers that offer with 487', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE', { body: 'hold' });
    call.request('BYE');
    expect(reinvite.statuses).toEqual([487]);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });
});

describe('requests inside a call', () => {
  it('that come out of order get 500 (RFC 3261 §12.2.2)', () => {
    const bed = new TestBed();
    const call = bed.established();
    expect(call.request('INFO', { seq: 9 }).statuses).toEqual([200]);
    expect(call.request('INFO', { seq: 8 }).statuses).toEqual([500]);
    expect(call.request('INFO', { seq: 10 }).statuses).toEqual([200]);
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
    expect(call.request('NOTIFY').statuses).toEqual([481]);
    expect(call.request('SUBSCRIBE').statuses).toEqual([489]);
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

describe('session timers (RFC 4028)', () => {
  const offer = (...headers: string[]) => ({ body: 'offer', headers });

  it('an interval below ours is refused with 422 and Min-SE', () => {
    const bed = new TestBed();
    const invite = bed.receive(callWith('Supported: timer', 'Session-Expires: 60'));
    expect(invite.statuses).toEqual([422]);
    expect(invite.header('min-se')).toBe('90');
    expect(bed.agent.sessions).toBe(0);
  });

  it('the peer refreshes when it can, and BYE follows when it does not', () => {
    const bed = new TestBed();
    const call = bed.established(offer('Supported: timer', 'Session-Expires: 300'));
    expect(call.invite.header('session-expires')).toBe('300;refresher=uac');
    expect(call.invite.header('require')).toBe('timer');
    bed.timers.advance(200_000);
    expect(
      call.request('UPDATE', { headers: ['Supported: timer', 'Session-Expires: 300'] }).statuses,
    ).toEqual([200]);
    bed.timers.advance(267_900);
    expect(call.listener.ends).toEqual([]);
    bed.timers.advance(200);
    expect(call.listener.log.at(-1)).toBe('ended by timeout null null');
    expect(bed.transactions.methods()).toEqual(['BYE']);
  });

  it('we refresh a peer that knows no timers, by re-INVITE with the same SDP', () => {
    const bed = new TestBed();
    const call = bed.established(offer());
    expect(call.invite.header('session-expires')).toBe('1800;refresher=uas');
    expect(call.invite.header('require')).toBeUndefined();
    bed.timers.advance(900_000);
    expect(bed.transactions.last.request.method).toBe('INVITE');
    expect(`${bed.transactions.last.request.body}`).toBe('answer');
    expect(bed.transactions.last.header('session-expires')).toBe('1800;refresher=uac');
    bed.transactions.last.answer(200, {
      body: Buffer.from('same'),
      headers: [['session-expires', '1800;refresher=uac']],
    });
    expect(bed.transactions.acks.length).toBe(1);
    bed.timers.advance(900_000);
    expect(bed.transactions.sent.length).toBe(2);
  });

  it('we go on refreshing a peer whose 200 says nothing of timers', () => {
    const bed = new TestBed();
    bed.established(offer('Allow: UPDATE'));
    for (let turn = 1; turn <= 3; turn++) {
      bed.timers.advance(900_000);
      expect(bed.transactions.methods()).toHaveLength(turn);
      bed.transactions.last.answer(200);
    }
  });

  it('refreshes of both sides may cross', () => {
    const bed = new TestBed();
    const call = bed.established(offer('Allow: UPDATE'));
    bed.timers.advance(900_000);
    expect(bed.transactions.last.request.method).toBe('UPDATE');
    expect(call.request('UPDATE').statuses).toEqual([200]);
    bed.transactions.last.answer(200);
    expect(call.listener.ends).toEqual([]);
  });

  it('we refresh by UPDATE where the peer allows it, and end the call when it knows nothing of it', () => {
    const bed = new TestBed();
    const call = bed.established(
      offer('Allow: INVITE, UPDATE', 'Supported: timer', 'Session-Expires: 90;refresher=uas'),
    );
    bed.timers.advance(45_000);
    expect(bed.transactions.last.request.method).toBe('UPDATE');
    expect(bed.transactions.last.request.body.length).toBe(0);
    bed.transactions.last.answer(481);
    expect(call.listener.ends.length).toBe(1);
  });

  it('a refresh that is refused for another reason ends the call only when the time is up', () => {
    const bed = new TestBed();
    const call = bed.established(
      offer('Allow: UPDATE', 'Supported: timer', 'Session-Expires: 90;refresher=uas'),
    );
    bed.timers.advance(45_000);
    bed.transactions.last.answer(500);
    expect(call.listener.ends).toEqual([]);
    bed.timers.advance(15_000);
    expect(call.listener.ends.length).toBe(1);
  });

  it('422 to our INVITE is tried again with the Min-SE it names, and not for ever', () => {
    const bed = new TestBed({ sessionExpiresS: 100 });
    const { listener } = bed.call();
    bed.transactions.last.answer(422, { headers: [['min-se', '600']] });
    expect(bed.transactions.last.header('session-expires')).toBe('600');
    expect(bed.transactions.last.header('min-se')).toBe('600');
    expect(bed.transactions.last.request.cseq.number).toBe(2);
    bed.transactions.last.answer(422, { headers: [['min-se', '700']] });
    bed.transactions.last.answer(422, { headers: [['min-se', '800']] });
    expect(bed.transactions.sent.length).toBe(3);
    expect(listener.log).toEqual(['ended by peer 422 null']);
  });

  it('a caller that is told to refresh does, and one that is not does not', () => {
    const bed = new TestBed();
    bed.call();
    bed.transactions.last.answer(200, {
      headers: [
        ['session-expires', '200;refresher=uac'],
        ['allow', 'UPDATE'],
      ],
    });
    bed.timers.advance(100_000);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'UPDATE']);
    const other = new TestBed();
    other.call();
    other.transactions.last.answer(200);
    other.timers.advance(10_000_000);
    expect(other.transactions.methods()).toEqual(['INVITE']);
  });

  const callWith = (...headers: string[]) => write('INVITE', offer(...headers));
});

describe('where requests of ours go', () => {
  it('by the recorded routes in their order for the callee, the target only changed by re-INVITE', async () => {
    const bed = new TestBed();
    const call = bed.established({
      body: 'offer',
      headers: ['Record-Route: <sip:192.0.2.9;lr>, <sip:p2.example;lr>', 'Record-Route: <sip:p3.example;lr>'],
    });
    call.request('INFO', { headers: ['Contact: <sip:evil@203.0.113.1>'] });
    const reinvite = call.request('INVITE', {
      body: 'new',
      headers: ['Contact: <sip:moved@203.0.113.7>', 'Record-Route: <sip:other.example;lr>'],
    });
    call.session.hangUp();
    expect(reinvite.statuses).toEqual([487]);
    const bye = bed.transactions.last.request;
    expect(bye.uri).toBe('sip:peer@192.0.2.9:5060');
    expect(bye.headers.filter(([name]) => name === 'route').map(([, value]) => value)).toEqual([
      '<sip:192.0.2.9;lr>',
      '<sip:p2.example;lr>',
      '<sip:p3.example;lr>',
    ]);
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
    await settle();
    expect(bed.transports.asked).toEqual([]);
  });

  it('to the target of an accepted re-INVITE', async () => {
    const bed = new TestBed();
    const call = bed.established();
    call.request('INVITE', { body: 'new', headers: ['Contact: <sip:moved@203.0.113.7:5070>'] });
    call.listener.answer?.(HOLD);
    call.ack(2);
    call.session.hangUp();
    await settle();
    expect(bed.transactions.last.request.uri).toBe('sip:moved@203.0.113.7:5070');
    expect(bed.transports.asked).toEqual(['udp:203.0.113.7:5070']);
  });

  it('to a strict router in the Request-URI, the target as the last Route (RFC 3261 §12.2.1.1)', () => {
    const bed = new TestBed();
    const call = bed.established({
      body: 'offer',
      headers: ['Record-Route: <sip:192.0.2.9>, <sip:p2.example;lr>'],
    });
    call.session.hangUp();
    const bye = bed.transactions.last.request;
    expect(bye.uri).toBe('sip:192.0.2.9');
    expect(bye.headers.filter(([name]) => name === 'route').map(([, value]) => value)).toEqual([
      '<sip:p2.example;lr>',
      '<sip:peer@192.0.2.9:5060>',
    ]);
  });

  it('on the flow of a phone behind NAT, whatever its Contact says', () => {
    const bed = new TestBed();
    const contact = 'Contact: <sip:phone@192.168.1.5:5060>';
    const call = bed.established({ body: 'offer', headers: [contact], via: '192.168.1.5:5060' });
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
    const invalid = bed.established({
      body: 'offer',
      callId: 'ws',
      headers: ['Contact: <sip:x@abc.invalid;transport=ws>'],
      via: 'abc.invalid',
    });
    invalid.session.hangUp();
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
  });

  it('on the connection the call came by', () => {
    const bed = new TestBed();
    const flow = {
      ...PEER_FLOW,
      protocol: 'tcp',
      remote: { address: '192.0.2.9', port: 40_000 },
      connection: 7,
    } as const;
    const call = bed.established(
      { body: 'offer', headers: ['Contact: <sip:peer@192.0.2.9:5060;transport=tcp>'] },
      flow,
    );
    expect(call.invite.header('contact')).toBe('<sip:192.0.2.1:5060;transport=tcp>');
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(flow);
  });

  it('to where a phone behind NAT spoke from last', () => {
    const bed = new TestBed();
    const nat = { body: 'offer', via: '192.168.1.5:5060' };
    const call = bed.established(nat);
    const moved = { ...PEER_FLOW, remote: { address: '192.0.2.9', port: 33_333 } };
    const update = write('UPDATE', { toTag: call.tag, seq: 2, via: '192.168.1.5:5060' });
    expect(bed.receive(update, moved).statuses).toEqual([200]);
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(moved);
  });

  it('by a new connection when the old one broke, once, and never to a phone behind NAT', async () => {
    const bed = new TestBed();
    const remote = { address: '192.0.2.9', port: 40_000 };
    const flow = { ...PEER_FLOW, protocol: 'tcp', remote, connection: 7 } as const;
    const contact = 'Contact: <sip:peer@192.0.2.9:5060;transport=tcp>';
    const call = bed.established({ body: 'offer', headers: [contact] }, flow);
    call.session.hangUp();
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transports.asked).toEqual(['tcp:192.0.2.9:5060']);
    expect(bed.transactions.methods()).toEqual(['BYE', 'BYE']);
    bed.transactions.last.events.failed('transport');
    expect(bed.agent.sessions).toBe(0);
    const nat = bed.established({ body: 'offer', callId: 'nat', headers: [contact], via: '10.0.0.1' }, flow);
    nat.session.hangUp();
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transactions.sent.length).toBe(3);
    expect(bed.agent.sessions).toBe(0);
  });

  it('by name: looked up, and by the flow that is there if it is among the addresses', async () => {
    const bed = new TestBed();
    bed.destinations = [{ protocol: 'udp', address: '203.0.113.2', port: 5060 }];
    const call = bed.established({ body: 'offer', headers: ['Contact: <sip:gw@gateway.example>'] });
    call.session.hangUp();
    await settle();
    expect(bed.transactions.last.flow.remote.address).toBe('203.0.113.2');
  });
});
