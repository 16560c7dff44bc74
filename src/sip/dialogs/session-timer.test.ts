import { describe, expect, it } from 'vitest';
import { TestBed, write } from '../testing/test-bed.ts';

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

  it('our refresh repeats what we said last, also in an answer to the peer', () => {
    const bed = new TestBed();
    const call = bed.established(offer());
    call.request('INVITE', { body: 'hold' });
    call.listener.answer?.(Buffer.from('held'));
    call.ack(2);
    bed.timers.advance(900_000);
    expect(`${bed.transactions.last.request.body}`).toBe('held');
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

  it('422 to a re-INVITE of ours is tried again with the Min-SE it names', () => {
    const bed = new TestBed();
    const call = bed.established();
    const answers: (string | null)[] = [];
    call.session.reinvite(Buffer.from('hold'), (sdp) => void answers.push(sdp && String(sdp)));
    bed.transactions.last.answer(422, { headers: [['min-se', '600']] });
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE']);
    expect(bed.transactions.last.header('min-se')).toBe('600');
    bed.transactions.last.answer(422);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE']);
    expect(answers).toEqual([null]);
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
