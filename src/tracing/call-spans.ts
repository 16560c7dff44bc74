// The spans of a call that is over, from its record: the call, its legs with their ringing, its waits in queues and the nodes of the
// flow that it passed. Nothing is measured for them while the call lives. Without telephone numbers, names and pressed keys.
import type { CallFacts, CallResult } from '../calls/records/call-record.ts';
import type { Outcome } from '../domain/past-call.ts';
import type { TrailCode } from '../flow/trail.ts';
import type { Span } from './span.ts';
import { newSpanId, type TraceContext } from './trace-context.ts';

/** A caller who wanders through menus for an hour makes no more than these. */
export const MAX_SPANS = 64;

const LEFT_QUEUE: ReadonlySet<TrailCode> = new Set([
  'queue-turn',
  'queue-left',
  'queue-timeout',
  'queue-empty',
  'queue-full',
  'connected',
]);
const LEFT_NODE: ReadonlySet<TrailCode> = new Set(['arrived', 'connected', 'ended']);

export function spansOfCall(
  facts: CallFacts,
  result: CallResult,
  outcome: Outcome,
  { traceId, spanId }: TraceContext,
): Span[] {
  const { startedAtMs } = facts;
  const call: Span = {
    traceId,
    spanId,
    parentSpanId: null,
    name: `call ${facts.direction}`,
    kind: facts.direction === 'outbound' ? 'client' : 'server',
    startMs: startedAtMs,
    endMs: startedAtMs + result.durationMs,
    isError: outcome === 'interrupted',
    attributes: {
      'dialtree.call.id': facts.id,
      'dialtree.account': facts.accountId,
      'dialtree.call.sip_call_id': facts.callId,
      'dialtree.call.outcome': outcome,
      'dialtree.call.end': result.end.code,
      'dialtree.call.answered_by': result.answeredBy,
      'dialtree.call.wait_ms': result.waitMs,
      'dialtree.call.ring_ms': result.ringMs,
      'dialtree.call.talk_ms': result.talkMs,
    },
  };
  const child = (
    name: string,
    fromMs: number,
    toMs: number,
    attributes: Span['attributes'],
    parentSpanId = spanId,
  ): Span => ({
    traceId,
    spanId: newSpanId(),
    parentSpanId,
    name,
    kind: 'internal',
    startMs: startedAtMs + fromMs,
    endMs: startedAtMs + toMs,
    attributes,
  });
  return [call, ...legSpans(result, child), ...flowSpans(result, child)].slice(0, MAX_SPANS);
}

type Child = (
  name: string,
  fromMs: number,
  toMs: number,
  attributes: Span['attributes'],
  parentSpanId?: string,
) => Span;

function legSpans({ legs }: CallResult, child: Child): Span[] {
  return legs.flatMap(({ role, agent, beganMs, rangMs, answeredMs, endedMs, end, statistics }) => {
    const attributes = {
      'dialtree.leg.agent': agent?.eid,
      'dialtree.leg.end': end.outcome,
      'dialtree.leg.ended_by': end.by,
      'dialtree.leg.sip_status': end.status,
      'dialtree.leg.packets_received': statistics?.packetsReceived,
      'dialtree.leg.packets_lost': statistics?.packetsLost,
    };
    const leg = child(`leg ${role}`, beganMs, endedMs, attributes);
    if (role === 'caller' || rangMs === null) return [leg];
    return [leg, child('ring', rangMs, answeredMs ?? endedMs, {}, leg.spanId)];
  });
}

function flowSpans({ trail, durationMs }: CallResult, child: Child): Span[] {
  const until = (from: number, codes: ReadonlySet<TrailCode>): number =>
    trail.slice(from + 1).find(({ code }) => codes.has(code))?.atMs ?? durationMs;
  const spans: Span[] = [];
  for (const [index, { code, node, atMs }] of trail.entries()) {
    if (spans.length >= MAX_SPANS) break;
    const attributes = { 'dialtree.flow.node': withoutNumber(node) };
    if (code === 'arrived')
      spans.push(child(`node ${node?.split('||')[0] ?? ''}`, atMs, until(index, LEFT_NODE), attributes));
    if (code === 'queue-joined' || code === 'queue-returned')
      spans.push(child('queue wait', atMs, until(index, LEFT_QUEUE), attributes));
  }
  return spans;
}

/** `number||+4930…` is a telephone number. */
const withoutNumber = (node: string | null): string | null =>
  node?.startsWith('number||') ? 'number' : node;
