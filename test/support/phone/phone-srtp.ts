// SRTP of the phone (RFC 3711), as plainly as node:crypto allows: it shares no code with src/media.
import { createCipheriv, createHmac } from 'node:crypto';

export interface PhoneCrypto {
  readonly tag: string;
  readonly suite: string;
  /** Base64 of key and salt. */
  readonly key: string;
}

interface Keys {
  readonly rtp: Buffer;
  readonly rtpSalt: Buffer;
  readonly rtpAuth: Buffer;
  readonly rtcp: Buffer;
  readonly rtcpSalt: Buffer;
  readonly rtcpAuth: Buffer;
}

export class PhoneSrtp {
  readonly id: string;
  /** Packets that were not by the other side's key. */
  refused = 0;
  readonly #ownKey: string;
  readonly #tagBytes: number;
  readonly #ours: Keys;
  readonly #theirs: Keys;
  #sent = { sequence: -1, rollover: 0 };
  #heard = { sequence: -1, rollover: 0 };

  /** `former`: what it replaces. With the same key of ours the counter goes on (RFC 3711 §3.2.1). */
  constructor(ours: PhoneCrypto, theirs: PhoneCrypto, former: PhoneSrtp | null = null) {
    this.#ownKey = ours.key;
    if (former && former.#ownKey === ours.key) this.#sent = former.#sent;
    this.id = PhoneSrtp.idOf(ours, theirs);
    this.#tagBytes = theirs.suite.endsWith('_32') ? 4 : 10;
    this.#ours = keysOf(ours.key);
    this.#theirs = keysOf(theirs.key);
  }

  static idOf(ours: PhoneCrypto, theirs: PhoneCrypto): string {
    return [theirs.suite, ours.key, theirs.key].join(' ');
  }

  protect(packet: Buffer): Buffer {
    const sequence = packet.readUInt16BE(2);
    if (sequence < this.#sent.sequence) this.#sent.rollover += 1;
    this.#sent.sequence = sequence;
    return this.#sealed(this.#ours, packet, this.#sent.rollover);
  }

  /** Null if not by their key. */
  open(packet: Buffer): Buffer | null {
    const sequence = packet.readUInt16BE(2);
    const { sequence: last, rollover } = this.#heard;
    const wrapped = last > 0xc000 && sequence < 0x4000 ? rollover + 1 : rollover;
    const end = packet.length - this.#tagBytes;
    const tag = tagOf(this.#theirs.rtpAuth, packet.subarray(0, end), word(wrapped));
    if (!tag.subarray(0, this.#tagBytes).equals(packet.subarray(end))) {
      this.refused += 1;
      return null;
    }
    this.#heard = { sequence, rollover: wrapped };
    return Buffer.concat([
      packet.subarray(0, 12),
      this.#crypt(this.#theirs, packet.subarray(0, end), wrapped),
    ]);
  }

  /** Null if not by their key. */
  openReport(packet: Buffer): Buffer | null {
    const end = packet.length - 10;
    const tag = tagOf(this.#theirs.rtcpAuth, packet.subarray(0, end), Buffer.alloc(0));
    if (end < 12 || !tag.subarray(0, 10).equals(packet.subarray(end))) return null;
    const index = packet.readUInt32BE(end - 4) & 0x7fff_ffff;
    const iv = ivOf(this.#theirs.rtcpSalt, packet.readUInt32BE(4), index);
    const cipher = createCipheriv('aes-128-ctr', this.#theirs.rtcp, iv);
    return Buffer.concat([packet.subarray(0, 8), cipher.update(packet.subarray(8, end - 4))]);
  }

  #sealed(keys: Keys, packet: Buffer, rollover: number): Buffer {
    const sealed = Buffer.concat([packet.subarray(0, 12), this.#crypt(keys, packet, rollover)]);
    const tag = tagOf(keys.rtpAuth, sealed, word(rollover));
    return Buffer.concat([sealed, tag.subarray(0, this.#tagBytes)]);
  }

  #crypt(keys: Keys, packet: Buffer, rollover: number): Buffer {
    const index = rollover * 65_536 + packet.readUInt16BE(2);
    const iv = ivOf(keys.rtpSalt, packet.readUInt32BE(8), index);
    return createCipheriv('aes-128-ctr', keys.rtp, iv).update(packet.subarray(12));
  }
}

function keysOf(inline: string): Keys {
  const master = Buffer.from(inline, 'base64');
  const derive = (label: number, bytes: number): Buffer => {
    const iv = Buffer.concat([master.subarray(16, 30), Buffer.alloc(2)]);
    iv[7] = (iv[7] ?? 0) ^ label;
    return createCipheriv('aes-128-ctr', master.subarray(0, 16), iv).update(Buffer.alloc(bytes));
  };
  return {
    rtp: derive(0, 16),
    rtpAuth: derive(1, 20),
    rtpSalt: derive(2, 14),
    rtcp: derive(3, 16),
    rtcpAuth: derive(4, 20),
    rtcpSalt: derive(5, 14),
  };
}

function ivOf(salt: Buffer, ssrc: number, index: number): Buffer {
  const iv = Buffer.concat([salt, Buffer.alloc(2)]);
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(ssrc, 4);
  mask.writeUIntBE(index, 8, 6);
  return Buffer.from(iv.map((octet, at) => octet ^ (mask[at] ?? 0)));
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const tagOf = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('sha1', key).update(Buffer.concat(parts)).digest();
