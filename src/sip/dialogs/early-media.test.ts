// What peers describe before they answer (18x with SDP).
import { describe, expect, it } from 'vitest';
import { TestBed } from '../testing/test-bed.ts';

describe('18x with SDP', () => {
  it('of two branches are each reported when they describe something new, and the 200 without SDP belongs to its own', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    const early = (toTag: string, sdp: string) => invite.answer(183, { toTag, body: Buffer.from(sdp) });
    early('one', 'first');
    early('two', 'second');
    early('one', 'first');
    early('one', 'third');
    invite.answer(200, { toTag: 'two' });
    expect(listener.log).toEqual([
      'progressed 183 first',
      'progressed 183 second',
      'progressed 183',
      'progressed 183 third',
      'answered second',
    ]);
  });

  it('of a 180 is no early media: it asks for ringback, and may be the answer all the same', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(180, { body: Buffer.from('ringing') });
    invite.answer(183, { body: Buffer.from('ringing') });
    invite.answer(200);
    expect(listener.log).toEqual(['progressed 180', 'progressed 183 ringing', 'answered ringing']);
  });

  it('leave the 200 without SDP: what they described holds', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(183, { headers: RELIABLE, body: Buffer.from('early') });
    invite.answer(200);
    expect(listener.log).toEqual(['progressed 183 early', 'answered early']);
  });
});

const RELIABLE = [
  ['require', '100rel'],
  ['rseq', '10'],
] as const;
