import { describe, expect, it } from 'vitest';
import { TestBed } from '../testing/test-bed.ts';

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
    call.listener.answer?.(null, { code: 304, text: 'it is video' });
    expect(reinvite.statuses).toEqual([488]);
    expect(reinvite.header('warning')).toBe('304 dialtree "it is video"');
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

  it('offers too fast for one call get 500 with Retry-After, and the call goes on: ten at once, one a second (T74)', () => {
    const bed = new TestBed();
    const call = bed.established();
    let seq = 1;
    const offer = (method: 'INVITE' | 'UPDATE', body?: string) => {
      const request = call.request(method, body === undefined ? {} : { body });
      seq += 1;
      if (request.statuses.length === 0) call.listener.answer?.(HOLD);
      if (method === 'INVITE' && request.statuses.at(-1) === 200) call.ack(seq);
      return request;
    };
    const ofTen = Array.from({ length: 10 }, (_, at) =>
      offer(at % 2 === 0 ? 'INVITE' : 'UPDATE', `offer ${at}`),
    );
    expect(ofTen.flatMap(({ statuses }) => statuses)).toEqual(new Array(10).fill(200));
    const late = offer('INVITE', 'one more');
    expect(late.statuses).toEqual([500]);
    expect(Number(late.header('retry-after'))).toBeLessThanOrEqual(10);
    expect(offer('INVITE').statuses).toEqual([500]);
    // It offers nothing: the session timer's refresh.
    expect(offer('UPDATE').statuses).toEqual([200]);
    bed.timers.advance(1_000);
    expect(offer('INVITE', 'in time').statuses).toEqual([200]);
    expect(offer('INVITE', 'again too fast').statuses).toEqual([500]);
    expect(bed.agent.sessions).toBe(1);
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
    let notified = 0;
    call.session.reinvite(HOLD, () => void notified++);
    bed.transactions.last.answer(200, { body: HOLD });
    bed.transactions.last.answer(200, { body: HOLD });
    expect(bed.transactions.acks.length).toBe(2);
    expect(notified).toBe(1);
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

  it('glare: the callee waits up to 2 s', () => {
    const bed = new TestBed({ random: () => 0.999 });
    const call = bed.established();
    call.session.reinvite(HOLD, () => {});
    bed.transactions.last.answer(491);
    bed.timers.advance(1_990);
    expect(bed.transactions.sent.length).toBe(1);
    bed.timers.advance(10);
    expect(bed.transactions.sent.length).toBe(2);
  });

  it('four offers of ours wait behind the first; the next one is refused at once', () => {
    const bed = new TestBed();
    const call = bed.established();
    const answers: unknown[] = [];
    for (let made = 0; made < 5; made++) call.session.reinvite(HOLD, (sdp) => void answers.push(sdp));
    expect(answers).toEqual([]);
    call.session.reinvite(HOLD, (sdp) => void answers.push(sdp));
    expect(answers).toEqual([null]);
    expect(bed.transactions.sent.length).toBe(1);
  });

  it('a re-INVITE of ours after the end is refused, and not sent', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.request('BYE');
    const answers: unknown[] = [];
    call.session.reinvite(HOLD, (sdp) => void answers.push(sdp));
    expect(answers).toEqual([null]);
    expect(bed.transactions.sent).toEqual([]);
  });

  it('a re-INVITE of ours that gets 481 ends the call', () => {
    const bed = new TestBed();
    const call = bed.established();
    call.session.reinvite(HOLD, () => {});
    bed.transactions.last.answer(481);
    expect(call.listener.log.at(-1)).toBe('ended by timeout null null');
    expect(bed.transactions.methods()).toEqual(['INVITE', 'BYE']);
  });

  it('CANCEL of a re-INVITE gets 487 and the call goes on', () => {
    const bed = new TestBed();
    const call = bed.established();
    const reinvite = call.request('INVITE', { body: 'hold' });
    call.session.reinvite(HOLD, () => undefined);
    expect(bed.transactions.methods()).toEqual([]);
    bed.agent.cancelled(reinvite, reinvite.request);
    expect(reinvite.statuses).toEqual([487]);
    expect(bed.transactions.methods()).toEqual(['INVITE']);
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
