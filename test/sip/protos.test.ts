// PROTOS c07-sip, which froze the parsers of npm for up to 50 s.
import { describe, expect, it } from 'vitest';
import { corpusMissing } from '../support/corpora.ts';
import { protos } from './support/corpora.ts';
import { exerciseAll, MOST_WORK } from './support/exercise-all.ts';

describe.skipIf(corpusMissing('sip'))('PROTOS c07-sip', () => {
  it('none of its 4,527 messages throws, and each costs work by its length', async () => {
    const samples = protos();
    expect(samples).toHaveLength(4_527);
    const { wrong, most } = await exerciseAll(
      samples.length,
      (index) => samples[index]?.bytes ?? Buffer.alloc(0),
    );
    expect(wrong).toEqual([]);
    expect(most).toBeLessThan(MOST_WORK);
  });
});
