// RTP and RTCP packets with something wrong: a bit, a length, an end, a header of another packet.
import { rtpPacket, senderReport } from './spray.ts';

/** What a stranger would begin with: audio, an event, an extension, contributing sources, padding, reports, a goodbye. */
export const SEEDS: readonly Buffer[] = [
  rtpPacket(1, 0x1234_5678),
  Buffer.concat([rtpPacket(2, 0x1234_5678, 101).subarray(0, 12), Buffer.from([5, 0x8a, 3, 0x20])]),
  extended(),
  contributed(),
  padded(),
  senderReport(0x1234_5678),
  Buffer.from('81c9000712345678000000010000000000000000000000000000000000000000', 'hex'),
  Buffer.from('80c90001123456788 1cb000112345678'.replace(' ', ''), 'hex'),
  Buffer.from('80c9000112345678' + '81ca0003123456780104616263640000', 'hex'),
  Buffer.from('000100002112a442000102030405060708090a0b', 'hex'),
];

function extended(): Buffer {
  const packet = rtpPacket(3, 0x1234_5678);
  packet[0] = 0x90;
  return Buffer.concat([packet.subarray(0, 12), Buffer.from('bede000110aa0000', 'hex'), packet.subarray(12)]);
}

function contributed(): Buffer {
  const packet = rtpPacket(4, 0x1234_5678);
  packet[0] = 0x82;
  return Buffer.concat([packet.subarray(0, 12), Buffer.alloc(8, 7), packet.subarray(12)]);
}

function padded(): Buffer {
  const packet = Buffer.concat([rtpPacket(5, 0x1234_5678), Buffer.from([0, 0, 0, 4])]);
  packet[0] = 0xa0;
  return packet;
}

export function mutateMedia(roll: (limit: number) => number, seeds = SEEDS): Buffer {
  const pick = (): Buffer => seeds[roll(seeds.length)] ?? Buffer.alloc(0);
  let bytes = Buffer.from(pick());
  for (let changes = 1 + roll(3); changes > 0; changes -= 1) {
    const at = roll(bytes.length + 1);
    switch (roll(6)) {
      case 0:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
        break;
      case 1:
        // The header says how the rest is to be read: it is hit as often as all the rest.
        bytes[roll(Math.min(16, bytes.length))] = roll(256);
        break;
      case 2:
        bytes = bytes.subarray(0, at);
        break;
      case 3:
        bytes = Buffer.concat([bytes, pick()]);
        break;
      case 4:
        if (bytes.length >= 4) bytes.writeUInt16BE(roll(65_536), 2);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(roll(1_400), roll(256))]);
    }
  }
  return bytes;
}
