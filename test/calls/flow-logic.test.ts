// Flows that ask, decide, send and talk, in real calls: digits by tone, a system of the company over HTTP, calls that are placed by request,
// and one call through all six kinds: heard by tone at each end, its text delivered, and its events replayed through the machine. What each
// kind does with every answer is in src/flow/nodes/flow-logic.test.ts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flowRecording, flowTemplates } from '../../src/domain/compile.ts';
import { makeFlow } from '../../src/flow/flow.ts';
import type { FlowNode } from '../../src/flow/node.ts';
import { replay } from '../../src/flow/testing/call-harness.ts';
import {
  collectNode,
  menuNode,
  messageNode,
  requestNode,
  sipAddressNode,
  streamNode,
  switchNode,
} from '../../src/kinds/nodes.ts';
import { verifyWebhook } from '../../src/kit/webhook-signature.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { type Smsc, startSmsc } from '../support/smsc/smsc.ts';
import { Bot, isTone, received, say, send, toneAudio } from './support/bot.ts';
import { callerOf, codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'question', 'yes', 'no', 'failed');
const CALLER_HZ = 2_600;
const BOT_HZ = 2_900;
const DESK_HZ = 2_300;
const SECRET = `whsec_${'A'.repeat(32)}`;
interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
const seen: Seen[] = [];
let bed: PhoneBed;
let bot: Bot;
let desk: Phone;
let provider: Phone;
let smsc: Smsc;
let server: Server;
let url: string;

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/yes': (response) => response.end('{"choice":"yes","order":{"state":"shipped"}}'),
  '/tell': (response) => response.end('{"choice":"tell","order":{"state":"shipped"}}'),
  '/slow': (response) => void setTimeout(() => response.end('{"choice":"yes"}'), 1_600),
};

beforeAll(async () => {
  smsc = await startSmsc();
  await smsc.tell({ type: 'behave', behaviour: { receipts: 'DELIVRD' } });
  bot = await Bot.open({});
  desk = await Phone.open({ user: 'desk', host: '127.0.0.2', server: { host: '127.0.0.1', port: 9 } });
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    ANSWERS[(request.url ?? '').split('?')[0] ?? '']?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    env: {
      OUTBOUND_ALLOW: '127.0.0.0/8',
      SIP_ADDRESS_HOSTS: '127.0.0.2',
      SMS_URL: `smpp://dialtree:secret@127.0.0.1:${smsc.port}`,
    },
    recordings,
    settings: { sms_templates: true },
    smsTemplates: { state: { text: 'Your order {order} is {order_state}.' } },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
        agents_may_call: true,
        addresses: ['127.0.0.3'],
      },
    },
    menus: {
      yes: { recording: 'recording||yes', timeout: 30 },
      no: { recording: 'recording||no', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
    },
  });
  bed.phones.push(desk, provider);
});

afterAll(async () => {
  await bed?.close();
  await bot?.close();
  await smsc?.stop();
  server?.closeAllConnections();
  server?.close();
});

/** A reference to the new record. */
async function make(kind: string, body: object): Promise<string> {
  const reply = await bed.api('POST', `/v1/${kind}`, { name: kind, ...body });
  expect(reply.status, reply.text).toBe(201);
  return `${kind}||${reply.json.id}`;
}

let next = 300;
/** A number that leads there. */
async function numberTo(destination: string): Promise<string> {
  const number = String(next++);
  expect((await bed.api('POST', '/v1/number', { number, destination })).status).toBe(201);
  return number;
}

const collect = (more: object = {}) => ({
  name: 'Order number',
  recording: 'recording||question',
  min_digits: 3,
  max_digits: 4,
  attempts: 2,
  timeout: 2,
  save_as: 'order',
  next_destination: 'ivr||yes',
  failed_destination: 'ivr||failed',
  ...more,
});

const request = (path: string, more: object = {}) => ({
  name: path,
  url: `${url}${path}`,
  timeout_ms: 1_500,
  save: [{ variable: 'state', pointer: '/order/state' }],
  choices: [{ answer: 'yes', destination: 'ivr||yes' }],
  next_destination: 'ivr||no',
  failed_destination: 'ivr||failed',
  ...more,
});

describe('collect', () => {
  it('takes digits at the finish key, and the record has them as a variable that can be searched for', async () => {
    const number = await numberTo(await make('collect', collect()));
    const call = await bed.reach(number);
    await call.hears(hz.question, { forMs: 80 });
    await call.pressKeys('472#');
    await call.hears(hz.yes, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(record.variables).toEqual({ order: '472' });
    const found = await bed.api('GET', '/v1/call/records?variable=order%3D472');
    expect(found.json.data.map(({ id }: Json) => id)).toEqual([record.id]);
    expect((await bed.api('GET', '/v1/call/records?variable=order%3D999')).json.data).toEqual([]);
  });

  it('hides digits that are sensitive wherever the record shows them', async () => {
    const number = await numberTo(await make('collect', collect({ sensitive: true })));
    const call = await bed.reach(number);
    await call.hears(hz.question, { forMs: 80 });
    await call.pressKeys('8642');
    await call.hears(hz.yes, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(record.variables).toEqual({ order: '•' });
    expect(JSON.stringify(record)).not.toContain('8642');
    expect((await bed.api('GET', '/v1/call/records?variable=order%3D8642')).json.data).toEqual([]);
  });
});

describe('request', () => {
  it('sends the digits, signed, and goes by the choice of the answer', async () => {
    const asked = await make(
      'request',
      request('/yes', { secret: SECRET, body: { order: '{order}', from: '{caller}' } }),
    );
    const digits = await make('collect', collect({ next_destination: asked }));
    const call = await bed.reach(await numberTo(digits));
    await call.hears(hz.question, { forMs: 80 });
    await call.pressKeys('555#');
    await call.hears(hz.yes, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(record.variables).toEqual({ order: '555', state: 'shipped' });
    const { headers, body }: Omit<Seen, 'path'> = seen.findLast(({ path }) => path === '/yes') ?? {
      headers: {},
      body: '',
    };
    expect(JSON.parse(body)).toEqual({ order: '555', from: record.caller });
    expect(verifyWebhook({ secret: SECRET, headers, body })).toEqual({ ok: true });
    expect(headers['x-dialtree-call']).toBe(record.id);
    const shown = await bed.api('GET', `/v1/request/${asked.split('||')[1]}`);
    expect(shown.json.has_secret).toBe(true);
    expect(shown.text).not.toContain('whsec_');
  });

  it('lets the caller hear the built-in sound while the answer is slow', async () => {
    const id = await make('request', request('/slow', { timeout_ms: 4_000 }));
    const call = await bed.reach(await numberTo(id));
    const answered = await call.hears(hz.yes, { forMs: 80, withinMs: 30_000 });
    await call.hangUp();
    const before = call.heard().filter(({ toMs }) => toMs <= answered.fromMs + 20);
    const sounds = before.filter((each) => each.hz !== 'silence' && each.hz !== 'nothing');
    // When it begins, flow/nodes/flow-logic.test.ts proves on a virtual clock.
    expect(sounds.length, call.heardText()).toBeGreaterThan(0);
  });
});

describe('POST /v1/call', () => {
  it('dials a number by the trunk, and puts whoever answers into the destination with variables', async () => {
    const rules = [{ variable: 'order', operator: 'equals', value: '4711', destination: 'ivr||yes' }];
    const id = await make('switch', { name: 'By order', rules, otherwise_destination: 'ivr||no' });
    const body = { number: '+4477', destination: id, variables: { order: '4711' } };
    const placed = await bed.api('POST', '/v1/call', body);
    expect(placed.status, placed.text).toBe(201);
    const incoming = await provider.incoming();
    await incoming.answer();
    await incoming.hears(hz.yes, { forMs: 80, withinMs: 30_000 });
    await incoming.hangUp();
    const record = await bed.until('the record', async () => {
      const { status, json } = await bed.api('GET', `/v1/call/record/${placed.json.id}`);
      return status === 200 ? json : null;
    });
    expect(record).toMatchObject({ caller: '+4477', variables: { order: '4711' }, direction: 'outbound' });
  });

  it('is refused for numbers that no trunk may dial, unknown destinations and built-in variables', async () => {
    const ask = async (more: object) =>
      (await bed.api('POST', '/v1/call', { number: '+4477', destination: 'ivr||yes', ...more })).json
        .Errors?.[0]?.Pointer;
    expect(await ask({ number: '+49301234' })).toBe('/number');
    expect(await ask({ destination: 'ivr||gone' })).toBe('/destination');
    expect(await ask({ variables: { caller: '1' } })).toBe('/variables');
  });
});

const FAILED = { failed_destination: 'ivr||failed' };

/** Made from its end: each leads to the one before. The number that leads there. */
async function makeFlowOfAll(): Promise<string> {
  const sip = await make('sip_address', {
    uri: `sip:order-{order}@${desk.host}:${desk.port}`,
    headers: { 'X-Topic': '{topic}' },
    failover_destination: 'ivr||failed',
  });
  const stream = await make('stream', {
    ...{ url: `${bot.url}/agent`, destinations: [sip], next_destination: 'ivr||failed', ...FAILED },
  });
  const message = await make('message', { sms_template: 'state', next_destination: stream });
  const request = await make('request', {
    url: `${url}/tell`,
    body: { order: '{order}', language: '{language}' },
    save: [{ variable: 'order_state', pointer: '/order/state' }],
    choices: [{ answer: 'tell', destination: message }],
    next_destination: 'ivr||failed',
    ...FAILED,
  });
  const collect = await make('collect', {
    ...{ recording: 'recording||question', max_digits: 4, finish_key: '#', save_as: 'order' },
    ...{ next_destination: request, ...FAILED },
  });
  const first = await make('switch', {
    set: [{ variable: 'language', value: 'en' }],
    rules: [{ variable: 'caller', operator: 'starts_with', value: '555', destination: collect }],
    otherwise_destination: 'ivr||failed',
  });
  return numberTo(first);
}

/** What calls follow, compiled from what the API shows. */
async function presentFlow() {
  const list = async (path: string): Promise<Json[]> => (await bed.api('GET', `${path}?limit=100`)).json.data;
  const nodesOf = async (path: string, make: (id: string, each: Json) => FlowNode) =>
    (await list(path)).map((each) => make(each.id, each));
  const nodes = await Promise.all([
    nodesOf('/v1/ivrs', (id, each) => menuNode(id, { ...each, tests: [] })),
    nodesOf('/v1/collects', (id, each) => collectNode(id, each)),
    nodesOf('/v1/requests', (id, each) => requestNode(id, each)),
    nodesOf('/v1/switches', (id, each) => switchNode(id, each)),
    nodesOf('/v1/messages', (id, each) => messageNode(id, each)),
    nodesOf('/v1/streams', (id, each) => streamNode(id, each)),
    nodesOf('/v1/sip_addresses', (id, each) => sipAddressNode(id, each)),
  ]);
  const templates = (await list('/v1/sms_templates')).map((data) => ({ id: data.id, data }));
  return makeFlow({
    nodes: nodes.flat(),
    recordings: (await list('/v1/recordings')).map((each) => flowRecording(each.id, each)),
    templates: flowTemplates(templates),
    settings: { smsTemplates: true },
  });
}

/** The id of a text is known after the step that queued it. */
const trailOf = (steps: readonly Json[]): Json[] =>
  steps.map(({ text, ...rest }) => ({ ...rest, text: text.replace(/ It is message \S+\.$/, '') }));

async function talkWithBot(call: PhoneCall): Promise<void> {
  const at = await bot.call('/agent');
  await received(at, 'start');
  say(at, toneAudio(BOT_HZ, 800));
  await call.hears(BOT_HZ, { forMs: 150 });
  await call.sendTone(CALLER_HZ);
  await received(at, 'media', ({ media }) => isTone(media.payload, CALLER_HZ));
  send(at, 'variables', { variables: { topic: 'refund' } });
  const { json } = await bed.api('GET', '/v1/sip_addresses');
  send(at, 'transfer', { transfer: { destination: `sip_address||${json.data[0].id}` } });
}

it('a call goes through all six kinds, and its events give the same trail again', async () => {
  const call = await bed.reach(await makeFlowOfAll());
  await call.hears(hz.question, { forMs: 80 });
  await call.pressKeys('472#');
  await talkWithBot(call);
  const there = await desk.incoming();
  expect(there.dialled).toBe('order-472');
  expect(there.invite?.headers.find(([name]) => name.toLowerCase() === 'x-topic')?.[1]).toBe('refund');
  await there.answer();
  void there.sendTone(DESK_HZ);
  await Promise.all([call.hears(DESK_HZ, { forMs: 200 }), there.hears(CALLER_HZ, { forMs: 200 })]);
  await there.hangUp();
  await call.ended();
  const record = await bed.record(call);
  expect(record.variables).toEqual({ language: 'en', order: '472', order_state: 'shipped', topic: 'refund' });
  const passed = ['rule-matched', 'digits-taken', 'request-answered', 'sms-queued', 'stream-transferred'];
  expect(codes(record)).toEqual(expect.arrayContaining([...passed, 'connected']));
  const again = replay(await presentFlow(), record.events);
  expect(again.map(({ atMs, ...rest }) => ({ at_ms: atMs, ...rest }))).toEqual(trailOf(record.steps));
  const text = await bed.until('the text', async () => {
    const { json } = await bed.api('GET', `/v1/sms?call_id=${record.id}`);
    return json.data.find((each: Json) => each.state === 'delivered') ?? null;
  });
  expect(text).toMatchObject({ to: callerOf(call), text: 'Your order 472 is shipped.' });
  expect(smsc.submitted.map((each) => each.text)).toEqual(['Your order 472 is shipped.']);
});
