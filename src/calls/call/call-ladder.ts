// The SIP messages of a call, of all its legs in order of time, as its record shows them.
import type { LegLadder, LegLadderLine } from '../../telephony/telephony.ts';

/** Messages of one call (each leg has its own bound): enough for a department of 25 that rings together. */
export const MAX_LADDER = 200;

export interface CallLadderLine {
  /** Since the call began. Below 0: of a leg that is older than the call, by click to call or transfer. */
  readonly at_ms: number;
  /** Which of `legs`. */
  readonly leg: number;
  readonly direction: 'in' | 'out';
  /** A method, or a status and the method of its request. */
  readonly what: string;
  readonly transport: string;
  readonly user_agent?: string;
  /** Which phone, where several of one agent ring. */
  readonly phone?: number;
}

export interface CallLadder {
  readonly lines: readonly CallLadderLine[];
  /** Messages beyond the bound. */
  readonly leftOut: number;
}

export const NO_LADDER: CallLadder = { lines: [], leftOut: 0 };

/** `startedMs` is on the clock of the legs. */
export function callLadder(legs: readonly (LegLadder | undefined)[], startedMs: number): CallLadder {
  const lines: CallLadderLine[] = [];
  let count = 0;
  for (const [leg, ladder] of legs.entries()) {
    if (!ladder) continue;
    count += ladder.lines.length + ladder.leftOut;
    for (const line of ladder.lines) lines.push(lineOf(line, leg, startedMs));
  }
  // Stable: messages of one millisecond keep the order of their leg. A single leg is in order already.
  if (legs.length > 1) lines.sort((one, other) => one.at_ms - other.at_ms);
  if (lines.length > MAX_LADDER) lines.length = MAX_LADDER;
  return count === 0 ? NO_LADDER : { lines, leftOut: count - lines.length };
}

function lineOf(line: LegLadderLine, leg: number, startedMs: number): CallLadderLine {
  const { direction, method, status, transport } = line;
  const what = status === 0 ? method : `${status} ${method}`;
  const at_ms = Math.round(line.atMs - startedMs);
  const { userAgent: user_agent, phone } = line;
  // Most lines have neither: no spread for each message of each call.
  if (user_agent === undefined && phone === undefined) return { at_ms, leg, direction, what, transport };
  if (phone === undefined)
    return { at_ms, leg, direction, what, transport, ...(user_agent && { user_agent }) };
  return { at_ms, leg, direction, what, transport, phone, ...(user_agent && { user_agent }) };
}
