// The codec table: one row per codec that a stream can carry. A stream looks its row up when it is configured and holds it, so that
// a packet costs no look-up. A codec that is passed through (G.722, Opus) is one that the engine neither decodes nor encodes: its packets
// go from one side of a bridge to the other, and what would mix, record or play has silence of it (telephony/builtin/legs/wideband.ts).
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

export type CodecName = 'pcmu' | 'pcma' | 'g722' | 'opus';

export interface Codec {
  readonly name: CodecName;
  /** Its place in CODECS: threads send it in place of the row. */
  readonly index: number;
  /** Encoding name and clock rate as SDP writes them (RFC 8866 §6.6). */
  readonly rtpmap: string;
  /** The static payload type (RFC 3551 §6), or the one that our offers assign from 96 on; an offer of the peer may assign another. */
  readonly payloadType: number;
  /** Parameters in our descriptions; null: none. */
  readonly fmtp: string | null;
  readonly clockRateHz: number;
  /** Of 20 ms: what the RTP timestamp advances by, and how long the payload is; that of Opus varies. */
  readonly frameSamples: number;
  readonly frameBytes: number;
  readonly silence: number;
  /** Not ours to decode or encode: a stream with it sends nothing but packets of its bridge. */
  readonly isPassedThrough: boolean;
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
  fmtp: null,
  clockRateHz: SAMPLE_RATE_HZ,
  frameSamples: FRAME_SAMPLES,
  frameBytes: FRAME_SAMPLES,
  silence: ULAW_SILENCE,
  isPassedThrough: false,
  decode: ulawToLinear,
  encode: encodeUlaw,
  transcoders: [null, convertUlawToAlaw],
};

export const PCMA: Codec = {
  name: 'pcma',
  index: 1,
  rtpmap: 'PCMA/8000',
  payloadType: 8,
  fmtp: null,
  clockRateHz: SAMPLE_RATE_HZ,
  frameSamples: FRAME_SAMPLES,
  frameBytes: FRAME_SAMPLES,
  silence: ALAW_SILENCE,
  isPassedThrough: false,
  decode: alawToLinear,
  encode: encodeAlaw,
  transcoders: [convertAlawToUlaw, null],
};

const asSilence =
  (silence: number) =>
  (bytes: Uint8Array, at: number, end: number): void =>
    void bytes.fill(silence, at, end);

/** RFC 3551 §4.5.2: 16,000 samples a second, and yet a clock of 8,000. */
export const G722: Codec = {
  name: 'g722',
  index: 2,
  rtpmap: 'G722/8000',
  payloadType: 9,
  fmtp: null,
  clockRateHz: SAMPLE_RATE_HZ,
  frameSamples: FRAME_SAMPLES,
  frameBytes: FRAME_SAMPLES,
  silence: 0,
  isPassedThrough: true,
  decode: new Int16Array(256),
  encode: () => 0,
  transcoders: [asSilence(ULAW_SILENCE), asSilence(ALAW_SILENCE), null, null],
};

/** RFC 7587: always 48,000 and two channels in SDP. Its number is the habit of browsers. */
export const OPUS: Codec = {
  ...G722,
  name: 'opus',
  index: 3,
  rtpmap: 'opus/48000/2',
  payloadType: 111,
  fmtp: 'useinbandfec=1',
  clockRateHz: 48_000,
  frameSamples: 960,
};

export const CODECS: readonly Codec[] = [PCMU, PCMA, G722, OPUS];

/** Those that prompts, mixes and recordings can be in: what a call begins with. In the order of preference in our offers. */
export const OWN_CODECS: readonly Codec[] = CODECS.filter(({ isPassedThrough }) => !isPassedThrough);

/** Those that two sides that talk with each other alone may be offered. */
export const PASSED_THROUGH: readonly Codec[] = CODECS.filter(({ isPassedThrough }) => isPassedThrough);

const BY_NAME: Readonly<Record<CodecName, Codec>> = { pcmu: PCMU, pcma: PCMA, g722: G722, opus: OPUS };

export const codecNamed = (name: CodecName): Codec => BY_NAME[name];

/** All codecs of ours, this one first: a bridge of two legs with the same codec need not transcode. */
export const preferring = (first: CodecName): readonly CodecName[] => {
  const names = OWN_CODECS.map(({ name }) => name);
  return names.sort((one, other) => Number(other === first) - Number(one === first));
};

/** Converts `length` bytes in place. */
export function transcode(bytes: Uint8Array, at: number, length: number, from: Codec, to: Codec): void {
  from.transcoders[to.index]?.(bytes, at, at + length);
}

/** The same audio in every codec of ours, by its index. Encoded once, when it is loaded. */
export type EncodedAudio = readonly Uint8Array[];

/** In shared memory: audio is held once, however many threads play it. Each part begins at a word, as the player copies words. */
export function encodeForAll(ulaw: Uint8Array): EncodedAudio {
  const roomBytes = Math.ceil(ulaw.length / 4) * 4;
  const shared = new SharedArrayBuffer(roomBytes * OWN_CODECS.length);
  return OWN_CODECS.map((codec) => {
    const encoded = new Uint8Array(shared, roomBytes * codec.index, ulaw.length);
    encoded.set(ulaw);
    transcode(encoded, 0, encoded.length, PCMU, codec);
    return encoded;
  });
}
