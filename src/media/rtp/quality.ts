// The RTCP reports of one stream: when the next is due, its content, and what the peer's reports say about us.
import { performance } from 'node:perf_hooks';
import type { Endpoint } from '../sockets/endpoint.ts';
import type { Reception } from './reception.ts';
import { middleOf, ntpOf, type Report, readReport, writeReport } from './rtcp.ts';
import type { Sender } from './sender.ts';

/** RFC 3550 §6.2: at least five seconds on average, randomized. */
const INTERVAL_MS = 5_000;
/** Read once: the property is a getter, and costs more than the report. */
const ORIGIN_MS = performance.timeOrigin;
const MAX_ROUND_TRIP_MS = 60_000;

export class Quality {
  remoteLost: number | null = null;
  remoteJitterMs: number | null = null;
  roundTripMs: number | null = null;
  /** Where the peer's reports come from: ours are sent there. */
  source: Endpoint | null = null;
  #dueMs: number;
  #sentAtLast = 0;
  /** The peer's last sender report: its NTP time, and when it arrived. */
  #lastReport = 0;
  #lastReportMs = 0;
  readonly #cname: string;

  constructor(cname: string, nowMs: number) {
    this.#cname = cname;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + Math.random());
  }

  isDue(nowMs: number): boolean {
    if (nowMs < this.#dueMs) return false;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + Math.random());
    return true;
  }

  /** Returns the length of the report written at `offset`. */
  write(
    bytes: Uint8Array,
    offset: number,
    sender: Sender,
    reception: Reception,
    nowMs: number,
    isGoodbye: boolean,
  ): number {
    const ntp = ntpOf(ORIGIN_MS + nowMs);
    const hasSent = sender.packets > this.#sentAtLast;
    this.#sentAtLast = sender.packets;
    const delay = this.#lastReport === 0 ? 0 : Math.round((nowMs - this.#lastReportMs) * 65.536);
    const report: Report = {
      ssrc: sender.ssrc,
      sender: hasSent
        ? {
            ntpSeconds: ntp.seconds,
            ntpFraction: ntp.fraction,
            timestamp: sender.timestampAt(nowMs),
            packets: sender.packets,
            octets: sender.octets,
          }
        : null,
      blocks: reception.hasStarted
        ? [
            {
              ssrc: reception.ssrc,
              fractionLost: reception.takeFractionLost(),
              lost: reception.lost,
              highest: reception.highest,
              jitter: reception.jitter,
              lastReport: this.#lastReport,
              delay,
            },
          ]
        : [],
      cname: this.#cname,
      isGoodbye,
    };
    return writeReport(bytes, offset, report);
  }

  /** False when the bytes are not a report. */
  read(bytes: Uint8Array, offset: number, length: number, ours: Sender, nowMs: number): boolean {
    const report = readReport(bytes, offset, length);
    if (!report) return false;
    if (report.sender) {
      this.#lastReport = middleOf(report.sender.ntpSeconds, report.sender.ntpFraction);
      this.#lastReportMs = nowMs;
    }
    const block = report.blocks.find((candidate) => candidate.ssrc === ours.ssrc);
    if (!block) return true;
    this.remoteLost = Math.max(0, block.lost);
    this.remoteJitterMs = block.jitter / ours.samplesPerMs;
    if (block.lastReport !== 0) this.#noteRoundTrip(block.lastReport, block.delay, nowMs);
    return true;
  }

  /** RFC 3550 §6.4.1: A − LSR − DLSR. */
  #noteRoundTrip(lastReport: number, delay: number, nowMs: number): void {
    const { seconds, fraction } = ntpOf(ORIGIN_MS + nowMs);
    const units = (middleOf(seconds, fraction) - lastReport - delay) | 0;
    const roundTripMs = units / 65.536;
    if (roundTripMs <= MAX_ROUND_TRIP_MS) this.roundTripMs = Math.max(0, roundTripMs);
  }
}
