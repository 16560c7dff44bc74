// Why a file cannot become a recording. Thrown while decoding, caught in convert.ts, which makes a value of it.

export type UnplayableCode = 'audio_unsupported' | 'audio_malformed' | 'audio_too_long';

export class Unplayable extends Error {
  readonly code: UnplayableCode;

  constructor(code: UnplayableCode, message: string) {
    super(message);
    this.name = 'Unplayable';
    this.code = code;
  }
}

export const MAX_SECONDS = 600;

export const tooLong = (): Unplayable =>
  new Unplayable('audio_too_long', `The recording is longer than ${MAX_SECONDS / 60} minutes.`);
