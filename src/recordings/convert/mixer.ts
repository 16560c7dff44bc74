// All channels become one, and samples that hit the ceiling are counted before the mix hides them.

/** From here on a sample is as loud as it can be. */
const CEILING = 0.9999;
/** One sample at the ceiling is a peak; several in a row have been cut off. */
const CLIPPED_RUN = 3;
/** Float files may hold anything; what is louder than this is noise or a mistake. */
const LOUDEST = 16;

export class Mixer {
  clippedSamples = 0;
  readonly #runs: number[] = [];

  mix(channels: readonly Float32Array[]): Float32Array {
    const length = channels[0]?.length ?? 0;
    const mixed = new Float32Array(length);
    const share = 1 / Math.max(1, channels.length);
    for (const [index, channel] of channels.entries()) {
      let run = this.#runs[index] ?? 0;
      for (let at = 0; at < length; at++) {
        const sample = sane(channel[at] ?? 0);
        run = Math.abs(sample) >= CEILING ? run + 1 : 0;
        if (run === CLIPPED_RUN) this.clippedSamples += CLIPPED_RUN;
        else if (run > CLIPPED_RUN) this.clippedSamples += 1;
        mixed[at] = (mixed[at] ?? 0) + sample * share;
      }
      this.#runs[index] = run;
    }
    return mixed;
  }
}

/** Neither NaN nor infinity. */
function sane(sample: number): number {
  if (sample > -LOUDEST && sample < LOUDEST) return sample;
  return sample >= LOUDEST ? LOUDEST : sample <= -LOUDEST ? -LOUDEST : 0;
}
