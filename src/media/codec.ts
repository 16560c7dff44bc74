// The codec table: one row per codec that a stream can carry. A stream looks its row up when it is configured and holds it, so that
// a packet costs no look-up. What a codec that is only passed through (G.722, Opus) would bring is a row with its own clock rate and
// frame size and without transcoders, and a negotiation that offers it to both sides of a bridge or to neither.
import { FRAME_SAMPLES, SAMPLE_RATE_HZ } from './audio/frame.ts';
import {
  ALAW_SILENCE,
  alawToLinear,
  convertAlawToUlaw,
  convertUlawToAlaw,
  encodeAlaw,
  encodeUlaw,
  ULAW_SILENCE,
  ulawToLinear,
} from './audio/g711.ts';

export type CodecName = 'pcmu' | 'pcma';

export interface Codec {
  readonly name: CodecName;
  /** Its place in CODECS: threads send it in place of the row. */
  readonly index: number;
  /** Encoding name and clock rate as SDP writes them (RFC 8866 §6.6). */
  readonly rtpmap: string;
  /** The static payload type (RFC 3551 §6); an offer may assign another. */
  readonly payloadType: number;
  readonly clockRateHz: number;
  /** Of 20 ms: what the RTP timestamp advances by, and how long the payload is. */
  readonly frameSamples: number;
  readonly frameBytes: number;
  readonly silence: number;
  /** Encoded byte → 16-bit linear sample. */
  readonly decode: Int16Array;
  /** A 16-bit linear sample → encoded byte. */
  encode(linear: number): number;
  /** Converts bytes in place to another codec, by the index of that codec; null: the same codec. */
  readonly transcoders: readonly (((bytes: Uint8Array, at: number, end: number) => void) | null)[];
}

/** What prompts, tones, recordings and mixes are made of. */
export const PCMU: Codec = {
  name: 'pcmu',
  index: 0,
  rtpmap: 'PCMU/8000',
  payloadType: 0,
  clockRateHz: SAMPLE_RATE_HZ,
  frameSamples: FRAME_SAMPLES,
  frameBytes: FRAME_SAMPLES,
  silence: ULAW_SILENCE,
  decode: ulawToLinear,
  encode: encodeUlaw,
  transcoders: [null, convertUlawToAlaw],
};

export const PCMA: Codec = {
  name: 'pcma',
  index: 1,
  rtpmap: 'PCMA/8000',
  payloadType: 8,
  clockRateHz: SAMPLE_RATE_HZ,
  frameSamples: FRAME_SAMPLES,
  frameBytes: FRAME_SAMPLES,
  silence: ALAW_SILENCE,
  decode: alawToLinear,
  encode: encodeAlaw,
  transcoders: [convertAlawToUlaw, null],
};

/** The order of preference in our offers. */
export const CODECS: readonly Codec[] = [PCMU, PCMA];

const BY_NAME: Readonly<Record<CodecName, Codec>> = { pcmu: PCMU, pcma: PCMA };

export const codecNamed = (name: CodecName): Codec => BY_NAME[name];

/** All codecs, this one first: a bridge of two legs with the same codec need not transcode. */
export const preferring = (first: CodecName): readonly CodecName[] => [
  first,
  ...CODECS.flatMap(({ name }) => (name === first ? [] : [name])),
];

/** Converts `length` bytes in place. */
export function transcode(bytes: Uint8Array, at: number, length: number, from: Codec, to: Codec): void {
  from.transcoders[to.index]?.(bytes, at, at + length);
}

/** The same audio in every codec, by its index. Encoded once, when it is loaded. */
export type EncodedAudio = readonly Uint8Array[];

/** In shared memory: audio is held once, however many threads play it. Each part begins at a word, as the player copies words. */
export function encodeForAll(ulaw: Uint8Array): EncodedAudio {
  const roomBytes = Math.ceil(ulaw.length / 4) * 4;
  const shared = new SharedArrayBuffer(roomBytes * CODECS.length);
  return CODECS.map((codec) => {
    const encoded = new Uint8Array(shared, roomBytes * codec.index, ulaw.length);
    encoded.set(ulaw);
    transcode(encoded, 0, encoded.length, PCMU, codec);
    return encoded;
  });
}
