// Why a file cannot become a recording. Thrown while decoding, caught in convert.ts, which makes a value of it.

export type UnplayableCode = 'audio_unsupported' | 'audio_malformed' | 'audio_too_long';

export class Unplayable extends Error {
  readonly code: UnplayableCode;
  /** A sound file that other programs decode. */
  readonly isUndecoded: boolean;

  constructor(code: UnplayableCode, message: string, isUndecoded = false) {
    super(message);
    this.name = 'Unplayable';
    this.code = code;
    this.isUndecoded = isUndecoded;
  }
}

export const MAX_SECONDS = 600;

export const tooLong = (): Unplayable =>
  new Unplayable('audio_too_long', `The recording is longer than ${MAX_SECONDS / 60} minutes.`);

/** `what`: "This is an AAC file". */
export const notDecoded = (what: string, extension: string): Unplayable =>
  new Unplayable(
    'audio_unsupported',
    `${what}, which is not decoded here. Convert it first, for example with "ffmpeg -i recording.${extension} -ac 1 recording.wav".`,
    true,
  );
