// The UDP payloads of a capture file, in order. Just enough of the format for the corpora: classic pcap, Ethernet or cooked, IPv4.

const MAGIC_LE = 0xa1b2c3d4;
const MAGIC_NS_LE = 0xa1b23c4d;
const LINK_HEADER_BYTES: Readonly<Record<number, number>> = { 0: 4, 1: 14, 101: 0, 113: 16 };
const UDP = 17;

export interface Datagram {
  readonly toPort: number;
  readonly payload: Buffer;
}

export function readPcap(file: Buffer): Datagram[] {
  const isLittle = [MAGIC_LE, MAGIC_NS_LE].includes(file.readUInt32LE(0));
  const word = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const linkBytes = LINK_HEADER_BYTES[word(20)];
  if (linkBytes === undefined) throw new Error(`link type ${word(20)} is not known`);
  const found: Datagram[] = [];
  for (let at = 24; at + 16 <= file.length; ) {
    const length = word(at + 8);
    const frame = file.subarray(at + 16, at + 16 + length);
    at += 16 + length;
    const isTagged = word(20) === 1 && frame.readUInt16BE(12) === 0x8100;
    const ip = frame.subarray(linkBytes + (isTagged ? 4 : 0));
    if (ip.length < 28 || (ip[0] ?? 0) >> 4 !== 4 || ip[9] !== UDP) continue;
    const udp = ip.subarray(((ip[0] ?? 0) & 0x0f) * 4);
    found.push({ toPort: udp.readUInt16BE(2), payload: udp.subarray(8, udp.readUInt16BE(4)) });
  }
  return found;
}
