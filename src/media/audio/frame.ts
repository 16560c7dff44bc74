// Audio inside the service is µ-law (G.711): 8 kHz, one channel, one byte per sample, in frames of 20 ms.

export const SAMPLE_RATE_HZ = 8_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;
export const FRAME_MS = 20;
/** Also its size in bytes. */
export const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;
