// The fixed header of RTP, read from and written to bytes.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   |V=2|P|X|  CC   |M|     PT      |       sequence number         |
//   |                           timestamp                           |
//   |           synchronization source (SSRC) identifier            |
//   |      contributing sources, extension, payload, padding        |   RFC 3550 §5.1

export const HEADER_BYTES = 12;
export const COMFORT_NOISE = 13;

export interface RtpHeader {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payloadAt: number;
  payloadLength: number;
}

export const emptyHeader = (): RtpHeader => ({
  payloadType: 0,
  marker: false,
  sequence: 0,
  timestamp: 0,
  ssrc: 0,
  payloadAt: 0,
  payloadLength: 0,
});

/** Fills `into`; false when the bytes are not an RTP packet. */
export function readRtp(bytes: Uint8Array, offset: number, length: number, into: RtpHeader): boolean {
  if (length < HEADER_BYTES) return false;
  const first = bytes[offset] ?? 0;
  if (first >> 6 !== 2) return false;
  const end = offset + length;
  let at = offset + HEADER_BYTES + (first & 0x0f) * 4;
  if ((first & 0x10) !== 0) {
    // RFC 3550 §5.3.1: the extension's length counts the words after its header.
    if (at + 4 > end) return false;
    at += 4 + read16(bytes, at + 2) * 4;
  }
  const padding = (first & 0x20) !== 0 ? (bytes[end - 1] ?? 0) : 0;
  if ((first & 0x20) !== 0 && padding === 0) return false;
  if (at + padding > end) return false;
  const second = bytes[offset + 1] ?? 0;
  into.payloadType = second & 0x7f;
  into.marker = second >= 0x80;
  into.sequence = read16(bytes, offset + 2);
  into.timestamp = read32(bytes, offset + 4);
  into.ssrc = read32(bytes, offset + 8);
  into.payloadAt = at;
  into.payloadLength = end - padding - at;
  return true;
}

/** Twelve octets, no extension, no contributing sources. */
export function writeRtp(
  bytes: Uint8Array,
  offset: number,
  marker: boolean,
  payloadType: number,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  bytes[offset] = 0x80;
  bytes[offset + 1] = marker ? payloadType | 0x80 : payloadType;
  bytes[offset + 2] = sequence >>> 8;
  bytes[offset + 3] = sequence;
  write32(bytes, offset + 4, timestamp);
  write32(bytes, offset + 8, ssrc);
}

/** RFC 5761 §4: the packet types of RTCP on a port shared with RTP. */
export const looksLikeRtcp = (bytes: Uint8Array, offset: number, length: number): boolean =>
  length >= 2 && ((bytes[offset + 1] ?? 0) & 0xfc) >= 200 && (bytes[offset + 1] ?? 0) <= 207;

export const read16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

export const read32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)) >>>
  0;

export function write32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** How far a sequence number is ahead of another, −32768 to 32767. */
export const sequenceDistance = (ahead: number, of: number): number => ((ahead - of) << 16) >> 16;

/** How far a timestamp is ahead of another, signed. */
export const timestampDistance = (ahead: number, of: number): number => (ahead - of) | 0;

/** The memory of received packets is a Buffer, whose own `slice` shares it. */
export const copyOf = (bytes: Uint8Array, at: number, length: number): Uint8Array =>
  new Uint8Array(bytes.subarray(at, at + length));
