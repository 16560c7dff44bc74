// PROTOS c07-sip, which froze the parsers of npm for up to 50 s.
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/sip/parse.ts';
import { corpusMissing } from '../support/corpora.ts';
import { protos } from './support/corpora.ts';
import { exercise, isTooSlow } from './support/exercise.ts';

describe.skipIf(corpusMissing('sip'))('PROTOS c07-sip', () => {
  it('none of its 4,527 messages throws or takes more than 5 ms', () => {
    const samples = protos();
    expect(samples).toHaveLength(4_527);
    const slow = samples.filter(({ bytes }) => isTooSlow(() => parseMessage(bytes)));
    expect(slow.map(({ name }) => name)).toEqual([]);
    for (const { bytes } of samples) exercise(bytes);
  });
});
