// RTCP (RFC 3550 §6): sender and receiver reports with SDES CNAME and, at the end, BYE. Written as one compound packet; read from any
// peer, so every length is checked, and reading ends at the first that does not fit.
import { read16, read32, write32 } from './rtp.ts';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;
const BLOCK_BYTES = 24;
const MAX_PACKETS = 16;
/** From 1900, where NTP begins, to 1970. */
const NTP_OFFSET_S = 2_208_988_800;
const FRACTION = 0x1_0000_0000;

export interface ReportBlock {
  readonly ssrc: number;
  readonly fractionLost: number;
  readonly lost: number;
  readonly highest: number;
  readonly jitter: number;
  /** Middle 32 bits of the last sender report's NTP time, and how long ago it came, in 65,536ths of a second. */
  readonly lastReport: number;
  readonly delay: number;
}

export interface SenderInfo {
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly timestamp: number;
  readonly packets: number;
  readonly octets: number;
}

export interface Report {
  readonly ssrc: number;
  /** Null for a receiver report. */
  readonly sender: SenderInfo | null;
  readonly blocks: readonly ReportBlock[];
  readonly cname: string;
  readonly isGoodbye: boolean;
}

export function ntpOf(epochMs: number): { seconds: number; fraction: number } {
  const seconds = Math.floor(epochMs / 1000);
  return {
    seconds: (seconds + NTP_OFFSET_S) >>> 0,
    fraction: Math.floor(((epochMs - seconds * 1000) / 1000) * FRACTION) >>> 0,
  };
}

/** RFC 3550 §4: the middle 32 bits of an NTP timestamp. */
export const middleOf = (seconds: number, fraction: number): number =>
  (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0;

/** Returns the length. At most one block: we receive one source. */
export function writeReport(bytes: Uint8Array, offset: number, report: Report): number {
  const block = report.blocks[0];
  let at = offset;
  bytes[at] = 0x80 | (block ? 1 : 0);
  bytes[at + 1] = report.sender ? SENDER_REPORT : RECEIVER_REPORT;
  write32(bytes, at + 4, report.ssrc);
  at += 8;
  if (report.sender) {
    write32(bytes, at, report.sender.ntpSeconds);
    write32(bytes, at + 4, report.sender.ntpFraction);
    write32(bytes, at + 8, report.sender.timestamp);
    write32(bytes, at + 12, report.sender.packets);
    write32(bytes, at + 16, report.sender.octets);
    at += 20;
  }
  if (block) at = writeBlock(bytes, at, block);
  writeLength(bytes, offset, at);
  at = writeName(bytes, at, report.ssrc, report.cname);
  if (!report.isGoodbye) return at - offset;
  bytes[at] = 0x81;
  bytes[at + 1] = GOODBYE;
  write32(bytes, at + 4, report.ssrc);
  writeLength(bytes, at, at + 8);
  return at + 8 - offset;
}

function writeBlock(bytes: Uint8Array, at: number, block: ReportBlock): number {
  write32(bytes, at, block.ssrc);
  const lost = Math.min(0x7f_ffff, Math.max(-0x80_0000, block.lost)) & 0xff_ffff;
  write32(bytes, at + 4, ((block.fractionLost << 24) | lost) >>> 0);
  write32(bytes, at + 8, block.highest);
  write32(bytes, at + 12, block.jitter);
  write32(bytes, at + 16, block.lastReport);
  write32(bytes, at + 20, block.delay);
  return at + BLOCK_BYTES;
}

/** RFC 3550 §6.5: items end with a zero octet and are padded to a whole word. */
function writeName(bytes: Uint8Array, start: number, ssrc: number, cname: string): number {
  bytes[start] = 0x81;
  bytes[start + 1] = SOURCE_DESCRIPTION;
  write32(bytes, start + 4, ssrc);
  let at = start + 8;
  bytes[at++] = CNAME;
  bytes[at++] = cname.length;
  for (let index = 0; index < cname.length; index++) bytes[at++] = cname.charCodeAt(index) & 0x7f;
  do bytes[at++] = 0;
  while ((at - start) % 4 !== 0);
  writeLength(bytes, start, at);
  return at;
}

function writeLength(bytes: Uint8Array, start: number, end: number): void {
  const words = (end - start) / 4 - 1;
  bytes[start + 2] = words >>> 8;
  bytes[start + 3] = words;
}

/** Null if not RTCP. RFC 3550 A.2: a compound packet begins with a report. */
export function readReport(bytes: Uint8Array, offset: number, length: number): Report | null {
  const end = offset + length;
  let report: Report | null = null;
  let isGoodbye = false;
  for (let at = offset, count = 0; at + 4 <= end && count < MAX_PACKETS; count++) {
    const first = bytes[at] ?? 0;
    const next = at + 4 + read16(bytes, at + 2) * 4;
    if (first >> 6 !== 2 || next > end) break;
    const kind = bytes[at + 1] ?? 0;
    if (count === 0 && kind !== SENDER_REPORT && kind !== RECEIVER_REPORT) return null;
    if (kind === SENDER_REPORT || kind === RECEIVER_REPORT) report ??= readOne(bytes, at, next);
    else if (kind === GOODBYE) isGoodbye = true;
    at = next;
  }
  return report && isGoodbye ? { ...report, isGoodbye } : report;
}

function readOne(bytes: Uint8Array, start: number, end: number): Report | null {
  const isSender = bytes[start + 1] === SENDER_REPORT;
  let at = start + (isSender ? 28 : 8);
  if (at > end) return null;
  const sender = isSender
    ? {
        ntpSeconds: read32(bytes, start + 8),
        ntpFraction: read32(bytes, start + 12),
        timestamp: read32(bytes, start + 16),
        packets: read32(bytes, start + 20),
        octets: read32(bytes, start + 24),
      }
    : null;
  const blocks: ReportBlock[] = [];
  for (let left = (bytes[start] ?? 0) & 0x1f; left > 0 && at + BLOCK_BYTES <= end; left--, at += BLOCK_BYTES)
    blocks.push({
      ssrc: read32(bytes, at),
      fractionLost: bytes[at + 4] ?? 0,
      lost: (read32(bytes, at + 4) << 8) >> 8,
      highest: read32(bytes, at + 8),
      jitter: read32(bytes, at + 12),
      lastReport: read32(bytes, at + 16),
      delay: read32(bytes, at + 20),
    });
  return { ssrc: read32(bytes, start + 4), sender, blocks, cname: '', isGoodbye: false };
}
