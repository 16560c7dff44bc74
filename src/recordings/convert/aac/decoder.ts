// raw_data_block() of ISO/IEC 14496-3 §4.4.2.1: the elements of a frame, and their channels as samples. AAC-LC; what HE-AAC adds (SBR, PS)
// is in fill elements, which are skipped, so that its core is heard at the core's rate.
import { bandsFor, FRAME_SAMPLES, type RateBands } from './bands.ts';
import { type BitReader, BrokenFrame } from './bits.ts';
import { ChannelStream, GROUP_BANDS, readWindowInfo, type WindowInfo } from './channel-stream.ts';
import { FilterBank } from './filter-bank.ts';
import { skipProgramConfig } from './program-config.ts';
import { dequantize, joinPair, NoiseSource } from './spectrum.ts';
import { applyTns } from './tns.ts';

const SINGLE = 0;
const PAIR = 1;
const LOW_FREQUENCY = 3;
const DATA = 4;
const PROGRAM_CONFIG = 5;
const FILL = 6;
const END = 7;

export const MAX_CHANNELS = 8;
/** Extension types of fill elements with spectral band replication: this is HE-AAC. */
const SBR = 13;
const SBR_WITH_CRC = 14;

class Channel {
  readonly stream = new ChannelStream();
  readonly spectrum = new Float64Array(FRAME_SAMPLES);
  readonly #filters = new FilterBank();

  synthesize(isMissing: boolean): Float32Array {
    const { info, tns } = this.stream;
    if (isMissing || !info) return this.#filters.fade();
    applyTns(this.spectrum, tns, info.bands, info.bandsSent);
    return this.#filters.next(this.spectrum, info.sequence, info.shape);
  }
}

interface Element {
  readonly kind: number;
  readonly channels: readonly Channel[];
  isInFrame: boolean;
}

export class AacDecoder {
  readonly #bands: RateBands;
  readonly #noise = new NoiseSource();
  /** By kind and tag, as the overlap of one element is not that of another. */
  readonly #elements = new Map<number, Element>();
  readonly #msUsed = new Uint8Array(8 * GROUP_BANDS);
  hasSbr = false;

  constructor(rateHz: number) {
    this.#bands = bandsFor(rateHz);
  }

  /** Without the channel of low frequencies, which a mix leaves out. */
  get channels(): number {
    let count = 0;
    for (const { kind, channels } of this.#elements.values())
      count += kind === LOW_FREQUENCY ? 0 : channels.length;
    return count;
  }

  /** One block of 1,024 samples of each channel. Throws BrokenFrame; then conceal() yields something in its place. */
  decode(bits: BitReader): Float32Array[] {
    for (const element of this.#elements.values()) element.isInFrame = false;
    for (let id = bits.read(3); id !== END; id = bits.read(3)) this.#readElement(bits, id);
    bits.align();
    return this.#synthesize();
  }

  conceal(): Float32Array[] {
    for (const element of this.#elements.values()) element.isInFrame = false;
    return this.#synthesize();
  }

  #synthesize(): Float32Array[] {
    const samples: Float32Array[] = [];
    for (const { kind, channels, isInFrame } of this.#elements.values()) {
      if (kind === LOW_FREQUENCY) continue;
      for (const channel of channels) samples.push(channel.synthesize(!isInFrame));
    }
    return samples.length > 0 ? samples : [new Float32Array(FRAME_SAMPLES)];
  }

  #readElement(bits: BitReader, id: number): void {
    if (id === SINGLE || id === LOW_FREQUENCY) this.#readSingle(bits, this.#element(id, bits.read(4)));
    else if (id === PAIR) this.#readPair(bits, this.#element(id, bits.read(4)));
    else if (id === DATA) skipData(bits);
    else if (id === PROGRAM_CONFIG) skipProgramConfig(bits);
    else if (id === FILL) this.#skipFill(bits);
    else throw new BrokenFrame('coupling channels are not decoded');
  }

  #element(kind: number, tag: number): Element {
    const key = kind * 16 + tag;
    let element = this.#elements.get(key);
    if (!element) {
      const channels = Array.from({ length: kind === PAIR ? 2 : 1 }, () => new Channel());
      let count = channels.length;
      for (const other of this.#elements.values()) count += other.channels.length;
      if (count > MAX_CHANNELS) throw new BrokenFrame(`there are more than ${MAX_CHANNELS} channels`);
      element = { kind, channels, isInFrame: false };
      this.#elements.set(key, element);
    }
    if (element.isInFrame) throw new BrokenFrame('a channel is sent twice');
    element.isInFrame = true;
    return element;
  }

  #readSingle(bits: BitReader, { channels }: Element): void {
    for (const { stream, spectrum } of channels) {
      stream.read(bits, this.#bands, null);
      dequantize(stream, spectrum, this.#noise);
    }
  }

  #readPair(bits: BitReader, { channels: [left, right] }: Element): void {
    if (!left || !right) return;
    const common = bits.readFlag() ? readWindowInfo(bits, this.#bands) : null;
    if (common) this.#readMask(bits, common);
    left.stream.read(bits, this.#bands, common);
    right.stream.read(bits, this.#bands, common);
    dequantize(left.stream, left.spectrum, this.#noise);
    dequantize(right.stream, right.spectrum, this.#noise);
    if (common) {
      const pair = { left: left.stream, right: right.stream, info: common, msUsed: this.#msUsed };
      joinPair(pair, left.spectrum, right.spectrum);
    }
  }

  /** ms_mask_present: none, by band, or all. */
  #readMask(bits: BitReader, { groups, bandsSent }: WindowInfo): void {
    const mask = bits.read(2);
    if (mask === 3) throw new BrokenFrame('its mask of stereo is reserved');
    this.#msUsed.fill(mask === 2 ? 1 : 0);
    if (mask === 1)
      for (let group = 0; group < groups.length; group++)
        for (let band = 0; band < bandsSent; band++) this.#msUsed[group * GROUP_BANDS + band] = bits.read(1);
  }

  #skipFill(bits: BitReader): void {
    let bytes = bits.read(4);
    if (bytes === 15) bytes += bits.read(8) - 1;
    if (bytes > 0) {
      const kind = bits.peek(4);
      if (kind === SBR || kind === SBR_WITH_CRC) this.hasSbr = true;
    }
    bits.skip(bytes * 8);
  }
}

function skipData(bits: BitReader): void {
  bits.skip(4);
  const isAligned = bits.readFlag();
  let bytes = bits.read(8);
  if (bytes === 255) bytes += bits.read(8);
  if (isAligned) bits.align();
  bits.skip(bytes * 8);
}
