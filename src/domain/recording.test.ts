import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../kinds/fields.ts';
import type { Recording } from '../kinds/recording.ts';
import { flawsOf } from './recording.ts';

const good: Recording = {
  ...DEFAULTS.recording,
  name: 'x',
  sha256: '',
  duration_ms: 3_000,
  format: 'WAV',
  peak_db: -6,
  gain_db: 0,
  clipped_samples: 0,
  leading_silence_ms: 100,
  trailing_silence_ms: 500,
  damaged: false,
};

describe('what a person should know about a recording', () => {
  it.each<[Partial<Recording>, string[]]>([
    [{}, []],
    [{ damaged: true }, ['damaged']],
    [{ clipped_samples: 3 }, ['clipped']],
    [{ duration_ms: 299 }, ['short']],
    [{ peak_db: -31 }, ['quiet']],
    [{ leading_silence_ms: 2_000 }, ['silence-at-start']],
    [{ trailing_silence_ms: 2_000 }, ['silence-at-end']],
    // Silence is not told three times.
    [{ peak_db: -96, leading_silence_ms: 3_000, trailing_silence_ms: 3_000 }, ['silent']],
  ])('%o is %o', (more, codes) => {
    expect(flawsOf({ ...good, ...more }).map(({ code }) => code)).toEqual(codes);
  });

  it('is nothing where nothing was measured', () => {
    expect(flawsOf({ ...DEFAULTS.recording, name: 'old', sha256: '', duration_ms: 1_000 })).toEqual([]);
  });
});
