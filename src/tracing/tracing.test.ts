import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Collector } from '../../test/support/collector.ts';
import { readHeaders } from './collector.ts';
import { BATCH, MAX_WAITING, SpanExporter } from './exporter.ts';
import type { Span } from './span.ts';
import { contextOfCall, isSampled, newTraceId, readTraceparent, traceparentOf } from './trace-context.ts';
import { Tracing } from './tracing.ts';

let collector: Collector;
beforeEach(async () => {
  collector = await Collector.open();
});
afterEach(() => collector.close());

const span = (changes: Partial<Span> = {}): Span => ({
  traceId: newTraceId(),
  spanId: '1234567890abcdef',
  parentSpanId: null,
  name: 'test',
  kind: 'internal',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_001_000,
  attributes: { text: 'a', whole: 3, part: 0.5, yes: true, absent: null },
  ...changes,
});

function exporter(onFailure: (reason: string, dropped: number) => void = () => undefined): SpanExporter {
  const headers = { authorization: 'Bearer abc' };
  const resource = { 'service.name': 'dialtree' };
  return new SpanExporter({ endpoint: `${collector.url}/`, headers, resource, scopeVersion: '1', onFailure });
}

describe('the exporter', () => {
  test('sends OTLP/HTTP JSON that a collector takes', async () => {
    const sending = exporter();
    sending.add([span()]);
    await sending.close();
    expect(collector.faults).toEqual([]);
    expect(collector.requests).toMatchObject([
      {
        path: 'POST /v1/traces',
        headers: { authorization: 'Bearer abc', 'content-type': 'application/json' },
      },
    ]);
    expect(collector.spans).toMatchObject([
      {
        name: 'test',
        kind: 1,
        startMs: 1_700_000_000_000.25,
        attributes: { text: 'a', whole: 3, part: 0.5, yes: true },
        resource: { 'service.name': 'dialtree' },
      },
    ]);
    expect(collector.spans[0]?.attributes).not.toHaveProperty('absent');
  });

  test('sends a batch at once when it is full, and holds no more than its limit', async () => {
    const failures: number[] = [];
    const sending = exporter((_, dropped) => failures.push(dropped));
    sending.add(Array.from({ length: BATCH }, () => span()));
    await vi.waitFor(() => expect(sending.counts.sent).toBe(BATCH));
    expect(collector.spans).toHaveLength(BATCH);
    collector.status = 503;
    sending.add(Array.from({ length: MAX_WAITING + 100 }, () => span()));
    expect(sending.counts.dropped).toBe(100);
    expect(failures).toEqual([100]);
    collector.status = 200;
    await sending.close();
    expect(sending.counts.sent + sending.counts.dropped).toBeGreaterThanOrEqual(BATCH + 100);
  });

  test('drops what the collector refuses for good, and does not hold up the end where there is none', async () => {
    collector.status = 400;
    const failures: string[] = [];
    const sending = exporter((reason) => failures.push(reason));
    sending.add([span()]);
    await sending.close();
    expect([sending.counts, failures]).toEqual([{ sent: 0, dropped: 1 }, ['status 400']]);
    const alone = exporter((reason) => failures.push(reason));
    collector.close();
    alone.add([span()]);
    await alone.close(300);
    expect(alone.counts).toEqual({ sent: 0, dropped: 1 });
  });

  test('waits at the end no longer than it may for a collector that does not answer', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    vi.useFakeTimers();
    let isClosed = false;
    const silent = exporter();
    silent.add([span()]);
    const closing = silent.close(300).then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(299);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
    await closing;
    vi.useRealTimers();
  });
});

describe('W3C Trace Context', () => {
  const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  test.each([
    [`00-${ID}-00f067aa0ba902b7-01`, { traceId: ID, spanId: '00f067aa0ba902b7', isSampled: true }],
    [`00-${ID}-00f067aa0ba902b7-00`, { traceId: ID, spanId: '00f067aa0ba902b7', isSampled: false }],
    [
      `cc-${ID}-00f067aa0ba902b7-01-what-comes-later`,
      { traceId: ID, spanId: '00f067aa0ba902b7', isSampled: true },
    ],
    [`00-${ID}-00f067aa0ba902b7-01-more`, null],
    [`ff-${ID}-00f067aa0ba902b7-01`, null],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, null],
    [`00-${ID}-0000000000000000-01`, null],
    [`00-${ID.toUpperCase()}-00f067aa0ba902b7-01`, null],
    [`00-${ID}-00f067aa0ba902b7`, null],
    ['', null],
    [undefined, null],
    ['x'.repeat(100_000), null],
  ])('%s', (header, context) => {
    expect(readTraceparent(header)).toEqual(context);
    if (context && header?.startsWith('00')) expect(traceparentOf(context)).toBe(header);
  });

  test('the trace of a call comes from its id, and the ratio keeps whole traces', () => {
    expect(contextOfCall('c', 1)).toEqual(contextOfCall('c', 1));
    expect(contextOfCall('c', 1).traceId).not.toBe(contextOfCall('d', 1).traceId);
    const kept = Array.from({ length: 4000 }, () => newTraceId()).filter((id) => isSampled(id, 0.25));
    expect(kept.length / 4000).toBeCloseTo(0.25, 1);
    expect([isSampled('f'.repeat(32), 1), isSampled('0'.repeat(32), 0)]).toEqual([true, false]);
  });
});

test('a request goes on with the client’s trace, and its client decides whether it is kept', async () => {
  const tracing = new Tracing({
    endpoint: collector.url,
    headers: {},
    resource: {},
    scopeVersion: '1',
    onFailure: () => undefined,
    ratio: 1,
  });
  const request = { method: 'GET', route: '/v1/agents', requestId: 'r', accountId: 'a', durationMs: 5 };
  const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
  tracing.requestAnswered({ ...request, status: 200, traceparent: `${parent}-01` });
  tracing.requestAnswered({ ...request, status: 200, traceparent: `${parent}-00` });
  tracing.requestAnswered({ ...request, status: 503, traceparent: 'no such thing' });
  await tracing.close();
  expect(collector.faults).toEqual([]);
  expect(collector.spans).toMatchObject([
    {
      name: 'GET /v1/agents',
      kind: 2,
      traceId: parent.slice(3, 35),
      parentSpanId: '00f067aa0ba902b7',
      isError: false,
    },
    { name: 'GET /v1/agents', parentSpanId: undefined, isError: true },
  ]);
  await sleep(0);
});

test('a stranger’s request is kept by the ratio, whatever trace it names', async () => {
  const options = { endpoint: collector.url, headers: {}, resource: {}, scopeVersion: '1', ratio: 0 };
  const tracing = new Tracing({ ...options, onFailure: () => undefined });
  const request = { method: 'GET', route: '/v1/agents', requestId: 'r', durationMs: 5, status: 401 };
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  tracing.requestAnswered({ ...request, accountId: undefined, traceparent });
  await tracing.close();
  expect(collector.spans).toEqual([]);
});

test('headers for the collector are read as OpenTelemetry writes them', () => {
  expect(readHeaders('')).toEqual({});
  expect(readHeaders('Authorization=Bearer%20abc, x-tenant=one')).toEqual({
    authorization: 'Bearer abc',
    'x-tenant': 'one',
  });
  for (const wrong of ['a', 'a=%', 'a b=c', 'a=b\r\nc: d']) expect(readHeaders(wrong)).toBeNull();
});
