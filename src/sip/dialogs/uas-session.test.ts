import { describe, expect, it } from 'vitest';
import { Listener, TestBed } from '../testing/test-bed.ts';

const SDP = Buffer.from('answer');

describe('a call to us', () => {
  it('is rung, answered and acknowledged, and says what we can', () => {
    const bed = new TestBed();
    const { invite, session, listener, ack } = bind(bed.invited());
    session.progress(180);
    session.answer(SDP);
    expect(invite.statuses).toEqual([180, 200]);
    expect(invite.last.body?.toString()).toBe('answer');
    expect(invite.header('contact')).toBe('<sip:192.0.2.1:5060>');
    expect(invite.header('allow')).toContain('UPDATE');
    expect(invite.header('supported')).toBe('100rel, timer, path, replaces, tdialog');
    expect(invite.header('server')).toBe('Dialtree');
    expect(invite.replies[0]?.toTag).toBe(invite.replies[1]?.toTag);
    ack();
    expect(listener.log).toEqual(['confirmed']);
  });

  it('repeats its 2xx until the ACK, doubling up to T2 (RFC 3261 §13.3.1.4)', () => {
    const bed = new TestBed();
    const { invite, session, ack } = bind(bed.invited());
    session.answer(SDP);
    const times: number[] = [];
    for (let ms = 0; ms < 12_000; ms += 100) {
      const before = invite.replies.length;
      bed.timers.advance(100);
      if (invite.replies.length > before) times.push(bed.timers.now());
    }
    expect(times).toEqual([500, 1500, 3500, 7500, 11_500]);
    ack();
    bed.timers.advance(60_000);
    expect(invite.replies.length).toBe(6);
  });

  it('ends with BYE when no ACK comes for 64*T1, and leaves nothing behind', () => {
    const bed = new TestBed();
    const { session, listener } = bed.invited();
    session.answer(SDP);
    bed.timers.advance(31_990);
    expect(bed.transactions.sent).toEqual([]);
    bed.timers.advance(10);
    expect(bed.transactions.methods()).toEqual(['BYE']);
    expect(listener.log).toEqual(['ended by timeout null null']);
    expect(bed.agent.sessions).toBe(1);
    bed.transactions.last.events.failed('timeout');
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('an ACK that comes late still confirms the call', () => {
    const bed = new TestBed();
    const { session, listener, ack } = bind(bed.invited());
    session.answer(SDP);
    bed.timers.advance(20_000);
    ack();
    bed.timers.advance(30_000);
    expect(listener.log).toEqual(['confirmed']);
  });

  it('an INVITE without an offer gets ours in the 200 and brings its answer in the ACK', () => {
    const bed = new TestBed();
    const { invite, session, listener, ack } = bind(bed.invited({}));
    session.answer(Buffer.from('our offer'));
    expect(invite.last.body?.toString()).toBe('our offer');
    ack(1, 'their answer');
    expect(listener.log).toEqual(['confirmed their answer']);
  });

  it('CANCEL ends it with 487, once, with the cause of its Reason', () => {
    const bed = new TestBed();
    const { invite, session, listener, cancel } = bind(bed.invited());
    cancel('Reason: Q.850;cause=16');
    expect(invite.statuses).toEqual([487]);
    expect(listener.log).toEqual(['ended by peer 487 16']);
    session.answer(SDP);
    session.hangUp();
    cancel();
    expect(invite.statuses).toEqual([487]);
    expect(listener.log.length).toBe(1);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('rings again every minute, so that no proxy gives up (RFC 3261 §13.3.1.1)', () => {
    const bed = new TestBed();
    const { invite, session } = bed.invited();
    session.progress(180);
    bed.timers.advance(150_000);
    expect(invite.statuses).toEqual([180, 180, 180]);
    session.reject(486);
    bed.timers.advance(150_000);
    expect(invite.statuses.length).toBe(4);
    expect(bed.timers.count).toBe(0);
  });

  it('CANCEL after our 200 changes nothing', () => {
    const bed = new TestBed();
    const { session, listener, ack, cancel } = bind(bed.invited());
    session.answer(SDP);
    cancel();
    ack();
    expect(listener.log).toEqual(['confirmed']);
  });

  it('is refused with the headers that were asked for', () => {
    const bed = new TestBed();
    const { invite, session, listener } = bed.invited();
    session.reject(503, [['retry-after', '5']]);
    expect(invite.last.status).toBe(503);
    expect(invite.header('retry-after')).toBe('5');
    expect(listener.log).toEqual(['ended by us 503 null']);
    expect(bed.agent.sessions).toBe(0);
  });

  it('hung up before the answer is 480, after it BYE with the Reason that was given (RFC 3326)', () => {
    const bed = new TestBed();
    const early = bed.invited();
    early.session.hangUp();
    expect(early.invite.statuses).toEqual([480]);
    const { session, listener } = bed.established({ body: 'offer', callId: 'call-2' });
    session.hangUp('Q.850;cause=31;text="over"');
    expect(bed.transactions.last.request.method).toBe('BYE');
    expect(bed.transactions.last.header('reason')).toBe('Q.850;cause=31;text="over"');
    expect(listener.log).toEqual(['confirmed', 'ended by us null null']);
    bed.transactions.last.answer(200);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('hung up between 200 and ACK: the BYE waits for the ACK (RFC 3261 §15)', () => {
    const bed = new TestBed();
    const { invite, session, listener, ack } = bind(bed.invited());
    session.answer(SDP);
    session.hangUp();
    session.hangUp();
    expect(listener.log).toEqual(['ended by us null null']);
    expect(bed.transactions.sent).toEqual([]);
    bed.timers.advance(500);
    expect(invite.statuses).toEqual([200, 200]);
    ack();
    expect(bed.transactions.methods()).toEqual(['BYE']);
    bed.transactions.last.answer(200);
    expect(listener.log.length).toBe(1);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('hung up between 200 and ACK, and no ACK ever: the BYE goes out after 64*T1', () => {
    const bed = new TestBed();
    const { session } = bed.invited();
    session.answer(SDP);
    session.hangUp();
    bed.timers.advance(32_000);
    expect(bed.transactions.methods()).toEqual(['BYE']);
  });

  it('a BYE before the answer ends the INVITE with 487 (RFC 3261 §15.1.2)', () => {
    const bed = new TestBed();
    const invited = bed.invited();
    invited.session.progress(180);
    expect(invited.request('BYE').statuses).toEqual([200]);
    expect(invited.invite.statuses).toEqual([180, 487]);
    expect(invited.listener.log).toEqual(['ended by peer null null']);
    expect(bed.agent.sessions).toBe(0);
  });

  it('a BYE before the ACK stops the repetition of the 200', () => {
    const bed = new TestBed();
    const invited = bed.invited();
    invited.session.answer(SDP);
    invited.request('BYE', { headers: ['Reason: SIP;cause=200, Q.850;cause=17'] });
    bed.timers.advance(40_000);
    expect(invited.invite.statuses).toEqual([200]);
    expect(invited.listener.log).toEqual(['ended by peer null 17']);
    expect(bed.timers.count).toBe(0);
  });

  it('BYE and BYE cross: both get their 200, and the end is told once', () => {
    const bed = new TestBed();
    const invited = bed.established();
    invited.session.hangUp();
    expect(invited.request('BYE').statuses).toEqual([200]);
    bed.transactions.last.answer(481);
    expect(invited.listener.log).toEqual(['confirmed', 'ended by us null null']);
    expect(bed.agent.sessions).toBe(0);
  });

  it('whoever listens late is told of the end', () => {
    const bed = new TestBed();
    const { session, cancel } = bind(bed.invited());
    cancel();
    const late = new Listener();
    session.listen(late);
    expect(late.log).toEqual(['ended by peer 487 null']);
  });

  it('a listener that is set after the end gets it once, also when the BYE is still to come', () => {
    const bed = new TestBed();
    const { session, ack } = bind(bed.invited());
    session.answer(SDP);
    session.hangUp();
    const late = new Listener();
    session.listen(late);
    ack();
    expect(bed.transactions.methods()).toEqual(['BYE']);
    expect(late.log).toEqual(['ended by us null null']);
  });

  it("keeps the INVITE's body no longer than until the answer", () => {
    const bed = new TestBed();
    const { session } = bed.invited();
    expect(session.invite.body.toString()).toBe('offer');
    session.answer(SDP);
    expect(session.invite.body.length).toBe(0);
  });
});

describe('reliable provisional responses of ours (RFC 3262)', () => {
  const required = { body: 'offer', headers: ['Require: 100rel'] };

  it('are not used for a peer that knows nothing of them', () => {
    const bed = new TestBed();
    const { invite, session, listener } = bed.invited({ body: 'offer', headers: ['Supported: timer'] });
    session.progress(183, SDP);
    expect(session.takesReliable).toBe(false);
    expect(invite.header('rseq')).toBeUndefined();
    session.answer(SDP);
    expect(invite.last.body).toBe(SDP);
    expect(listener.log).toEqual([]);
  });

  it('carry early media to a peer that supports them; a 180 does not need them', () => {
    const bed = new TestBed();
    const invited = bed.invited({ body: 'offer', headers: ['Supported: 100rel'] });
    invited.session.progress(180);
    expect(invited.session.takesReliable).toBe(true);
    expect(invited.invite.header('rseq')).toBeUndefined();
    invited.session.progress(183, SDP);
    expect(invited.invite.header('require')).toBe('100rel');
    const headers = [`RAck: ${invited.invite.header('rseq')} 1 INVITE`];
    invited.request('PRACK', { headers });
    expect(invited.listener.log).toEqual(['pracked']);
    invited.session.answer(SDP);
    expect(invited.invite.statuses).toEqual([180, 183, 200]);
  });

  it('are sent again before a proxy gives up, and the 180 before them is not: it would ask for ringback (RFC 3262 §3)', () => {
    const bed = new TestBed();
    const invited = bed.invited({ body: 'offer', headers: ['Supported: 100rel'] });
    const prack = (): number[] =>
      invited.request('PRACK', { headers: [`RAck: ${invited.invite.header('rseq')} 1 INVITE`] }).statuses;
    invited.session.progress(180);
    invited.session.progress(183, SDP);
    expect(prack()).toEqual([200]);
    bed.timers.advance(149_990);
    expect(invited.invite.statuses).toEqual([180, 183]);
    for (let at = 0; at < 2; at++) {
      bed.timers.advance(at === 0 ? 10 : 150_000);
      expect(invited.invite.last.status).toBe(183);
      expect(invited.invite.last.body?.length ?? 0).toBe(0);
      expect(prack()).toEqual([200]);
    }
    invited.session.answer(SDP);
    bed.timers.advance(31_000);
    expect(invited.invite.statuses.filter((status) => status < 200)).toEqual([180, 183, 183, 183]);
  });

  it('are repeated until PRACK, doubling without a cap, one at a time', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(180);
    invited.session.progress(183);
    expect(invited.invite.statuses).toEqual([180]);
    expect(invited.invite.header('require')).toBe('100rel');
    const rseq = Number(invited.invite.header('rseq'));
    bed.timers.advance(15_500);
    expect(invited.invite.statuses).toEqual([180, 180, 180, 180, 180, 180]);
    expect(invited.request('PRACK', { headers: [`RAck: ${rseq} 1 INVITE`] }).statuses).toEqual([200]);
    expect(invited.invite.last.status).toBe(183);
    expect(Number(invited.invite.header('rseq'))).toBe(rseq + 1);
  });

  it('end with their PRACK: nothing is repeated or given up after it', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(180);
    invited.request('PRACK', { headers: [`RAck: ${invited.invite.header('rseq')} 1 INVITE`] });
    bed.timers.advance(40_000);
    expect(invited.invite.statuses).toEqual([180]);
    expect(invited.listener.ends).toEqual([]);
  });

  it('a PRACK whose offer is open when the caller gives up gets 487', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(183, SDP);
    const headers = [`RAck: ${invited.invite.header('rseq')} 1 INVITE`];
    const prack = invited.request('PRACK', { headers, body: 'second offer' });
    invited.cancel();
    expect(prack.statuses).toEqual([487]);
    expect(invited.invite.statuses).toEqual([183, 487]);
  });

  it('a PRACK that fits nothing gets 481', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(180);
    expect(invited.request('PRACK', { headers: ['RAck: 5 1 INVITE'] }).statuses).toEqual([481]);
  });

  it('hold the 200 back until their PRACK, and leave no SDP to it', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(183, SDP);
    const rseq = invited.invite.header('rseq');
    invited.session.answer(SDP);
    expect(invited.invite.statuses).toEqual([183]);
    invited.request('PRACK', { headers: [`RAck: ${rseq} 1 INVITE`] });
    expect(invited.invite.statuses).toEqual([183, 200]);
    expect(invited.invite.last.body?.length).toBe(0);
    invited.ack();
    expect(invited.listener.log).toEqual(['pracked', 'confirmed']);
  });

  it('a PRACK that never comes ends the call with 504', () => {
    const bed = new TestBed();
    const { invite, session, listener } = bed.invited(required);
    session.progress(180);
    bed.timers.advance(32_000);
    expect(invite.last.status).toBe(504);
    expect(listener.log).toEqual(['ended by timeout 504 null']);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('a PRACK with an offer of its own is answered in its 200', () => {
    const bed = new TestBed();
    const invited = bed.invited(required);
    invited.session.progress(183, SDP);
    const headers = [`RAck: ${invited.invite.header('rseq')} 1 INVITE`];
    const prack = invited.request('PRACK', { headers, body: 'second offer' });
    expect(invited.listener.log).toEqual(['offered second offer', 'pracked']);
    invited.listener.answer?.(Buffer.from('second answer'));
    expect(prack.statuses).toEqual([200]);
    expect(prack.last.body?.toString()).toBe('second answer');
  });

  it('without an offer in the INVITE carry ours, and the PRACK its answer', () => {
    const bed = new TestBed();
    const invited = bed.invited({ headers: ['Require: 100rel'] });
    invited.session.progress(180);
    expect(invited.invite.replies).toEqual([]);
    invited.session.progress(183, Buffer.from('our offer'));
    invited.request('PRACK', {
      headers: [`RAck: ${invited.invite.header('rseq')} 1 INVITE`],
      body: 'their answer',
    });
    invited.session.answer(Buffer.from('our offer'));
    invited.ack();
    expect(invited.listener.log).toEqual(['pracked their answer', 'confirmed their answer']);
  });
});

/** So that its methods can be taken apart. */
function bind(invited: ReturnType<TestBed['invited']>) {
  const { invite, session, listener } = invited;
  const ack = (seq?: number, body?: string): void => invited.ack(seq, body);
  const cancel = (...headers: string[]): void => invited.cancel(...headers);
  return { invite, session, listener, ack, cancel };
}
