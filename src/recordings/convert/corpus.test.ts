// Sound files by others, many of them broken on purpose: each becomes a recording or is refused with a reason.
import { describe, expect, it } from 'vitest';
import { audioCorpus } from '../../../test/support/audio-corpus.ts';
import { corpusMissing } from '../../../test/support/corpora.ts';
import { convertBytes } from './testing.ts';

/** The sound is there, but in a way that is refused with a reason; all others are converted. */
const REFUSED: Readonly<Record<string, string>> = {
  'test-44100Hz-le-1ch-4bytes-early-eof-no-data.wav': 'audio_malformed',
  'test-44100Hz-le-1ch-4bytes-incomplete-chunk.wav': 'audio_malformed',
  'test-8000Hz-le-3ch-5S-24bit-inconsistent.wav': 'audio_malformed',
  'l2-nonstandard-fl1_fl2_ff.bit': 'audio_malformed',
  'l3-nonstandard-big-iscf.bit': 'audio_unsupported',
  'l3-nonstandard-id3v2-only.bit': 'audio_malformed',
  'l3-nonstandard-sideinfo-size.bit': 'audio_unsupported',
  'l3-nonstandard-small.bit': 'audio_unsupported',
  'l3-nonstandard-vbrtag-empty.bit': 'audio_malformed',
  'l3-nonstandard-vbrtag-noframes.bit': 'audio_malformed',
  'l3-nonstandard-vbrtag-only.bit': 'audio_malformed',
  'l3-nonstandard-vbrtag-oob-read.bit': 'audio_malformed',
};

describe.skipIf(corpusMissing('audio'))('the corpus of sound files', () => {
  it('has all of them', () => {
    expect(audioCorpus()).toHaveLength(65);
  });

  it.each(audioCorpus().map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    const outcome = await convertBytes(bytes);
    if (name in REFUSED) {
      expect(outcome).toMatchObject({
        refused: REFUSED[name],
        message: expect.stringMatching(/^[A-Z].*\.$/),
      });
      return;
    }
    if ('refused' in outcome) throw new Error(outcome.message);
    expect(outcome.ulaw.length).toBeGreaterThan(0);
    expect(outcome.durationMs).toBeLessThan(2_000);
    // The second announces 316 frames, and has one.
    expect(outcome.damaged).toBe(/early-eof|vbrtag-corrupted/.test(name));
  });
});
