// Traces of whole calls and of API requests, at a collector; webhooks carry the trace of their call.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Collector } from '../support/collector.ts';
import { extension } from '../support/pbx.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { call as ask } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt');
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

let collector: Collector;
let receiver: Receiver;
let bed: PhoneBed;
beforeAll(async () => {
  collector = await Collector.open();
  receiver = await startReceiver();
  bed = await PhoneBed.open({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collectors-secret',
      OTEL_SERVICE_NAME: 'phones',
      NODE_ID: 'node-a',
      ...REACHABLE,
    },
    recordings,
    agents: { '1001': {} },
    departments: { sales: { agents: ['91001'], queue: true } },
    menus: { main: { timeout: 60, option: ['1'], destination: ['department||sales'] } },
    numbers: { '100': 'ivr||main', '200': extension('1001') },
  });
});
afterAll(async () => {
  await bed?.close();
  collector?.close();
  await receiver?.close();
});

it('a call through a menu and a queue: its spans, its webhook’s traceparent, and nothing personal', async () => {
  const hook = { name: 'ends', url: receiver.url, events: ['call.ended'] };
  expect((await bed.api('POST', '/v1/webhook', hook)).status).toBe(201);
  const agent = await bed.agent('1001');
  // The agent talks, so the caller waits.
  const first = await bed.dial('200');
  await (await agent.incoming()).answer();
  await first.answered();
  const caller = await bed.choose('100', hz.prompt, '1');
  await expect.poll(() => bed.metric('dialtree_queue_callers')).toBe(1);
  await first.hangUp();
  const rung = await agent.incoming();
  rung.ring();
  await rung.answer();
  await expect.poll(() => bed.metric('dialtree_legs')).toBe(2);
  await caller.hangUp();
  const record = await bed.record(caller);
  const found = () => collector.spans.find(({ attributes }) => attributes['dialtree.call.id'] === record.id);
  await expect.poll(found).toBeDefined();
  const root = found();
  const spans = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'call inbound',
      'leg caller',
      'leg called',
      'ring',
      'node ivr',
      'node department',
      'queue wait',
    ]),
  );
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual(
    [],
  );
  expect(root?.attributes).toMatchObject({
    'dialtree.call.outcome': 'answered',
    'dialtree.call.answered_by': '91001',
  });
  expect(root?.resource).toMatchObject({ 'service.name': 'phones', 'service.instance.id': 'node-a' });
  const [delivered] = await receiver.until(1, ({ event }) => event.data.call.id === record.id);
  expect(delivered?.headers['traceparent']).toBe(`00-${root?.traceId}-${root?.spanId}-01`);
  expect(JSON.stringify(spans)).not.toContain(callerOf(caller));
  expect(collector.faults).toEqual([]);
  expect(bed.pbx.log.join('')).not.toContain('collectors-secret');
});

it('an API request is a span of its client’s trace; health checks are none', async () => {
  await ask(bed.pbx.url, 'GET', '/v1/agents', { headers: { traceparent: PARENT } });
  await ask(bed.pbx.url, 'GET', '/healthz');
  await expect
    .poll(() => collector.spans.filter(({ traceId }) => traceId === PARENT.slice(3, 35)))
    .toMatchObject([
      {
        name: 'GET /v1/agents',
        kind: 2,
        parentSpanId: '00f067aa0ba902b7',
        attributes: { 'http.response.status_code': 200, 'http.route': '/v1/agents' },
      },
    ]);
  expect(collector.spans.filter(({ name }) => name.includes('/healthz'))).toEqual([]);
  const { text } = await bed.api('GET', '/metrics');
  for (const thread of ['api', 'main'])
    expect(text).toMatch(
      new RegExp(`^dialtree_trace_spans_total\\{thread="${thread}",outcome="sent"\\} [1-9]`, 'm'),
    );
  expect(collector.requests[0]?.headers.authorization).toBe('Bearer collectors-secret');
});
