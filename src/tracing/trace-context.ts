// W3C Trace Context: which trace a request or a call belongs to.
import { createHash, randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version 00 and what later versions begin with (https://www.w3.org/TR/trace-context/#traceparent-header). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const MAX_LENGTH = 256;

/** Null if absent or malformed, so a new trace begins. */
export function readTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return null;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  // Version 00 ends after the flags.
  if (!traceId || !spanId || !flags || (header.startsWith('00-') && header.length !== 55)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

export const newSpanId = (): string => randomBytes(8).toString('hex');
export const newTraceId = (): string => randomBytes(16).toString('hex');

/** The context of a call comes from its id, so that every node, the webhooks of its events and a reader of its record know its trace. */
export function contextOfCall(callId: string, ratio: number): TraceContext {
  const hash = createHash('sha256').update(`call ${callId}`).digest('hex');
  const traceId = hash.slice(0, 32);
  return { traceId, spanId: hash.slice(32, 48), isSampled: isSampled(traceId, ratio) };
}

/** By the trace's id, so that all its spans are kept, or none. */
export function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
}
