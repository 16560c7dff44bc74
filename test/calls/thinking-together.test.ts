// One real call through all six kinds that ask, decide, send and talk: heard by tone at each end, its text delivered, and its events
// replayed through the machine. And messages by themselves, which no failure may hold up.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectNode } from '../../src/domain/collect.ts';
import { flowRecording, flowTemplates, menuNode } from '../../src/domain/compile.ts';
import { messageNode } from '../../src/domain/message.ts';
import { requestNode } from '../../src/domain/request.ts';
import { sipAddressNode } from '../../src/domain/sip-address.ts';
import { streamNode } from '../../src/domain/stream.ts';
import { switchNode } from '../../src/domain/switch.ts';
import { makeFlow } from '../../src/flow/flow.ts';
import type { FlowNode } from '../../src/flow/node.ts';
import { replay } from '../../src/flow/testing/call-harness.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { type Smsc, startSmsc } from '../support/smsc/smsc.ts';
import { Bot, isTone, received, say, send, toneAudio } from './support/bot.ts';
import { callerOf, codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'question', 'failed', 'next');
const CALLER_HZ = 2_600;
const BOT_HZ = 2_900;
const DESK_HZ = 2_300;
let bed: PhoneBed;
let bot: Bot;
let desk: Phone;
let smsc: Smsc;
let server: Server;
let next = 310;

beforeAll(async () => {
  smsc = await startSmsc();
  await smsc.tell({ type: 'behave', behaviour: { receipts: 'DELIVRD' } });
  bot = await Bot.open({});
  desk = await Phone.open({ user: 'desk', host: '127.0.0.2', server: { host: '127.0.0.1', port: 9 } });
  server = createServer((_, response) => response.end('{"choice":"tell","order":{"state":"shipped"}}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bed = await PhoneBed.open({
    env: {
      OUTBOUND_ALLOW: '127.0.0.0/8',
      SIP_ADDRESS_HOSTS: '127.0.0.2',
      SMS_URL: `smpp://dialtree:secret@127.0.0.1:${smsc.port}`,
    },
    recordings,
    settings: { sms_templates: true },
    smsTemplates: {
      state: { text: 'Your order {order} is {order_state}.' },
      resting: { status: 'inactive' },
    },
    menus: {
      failed: { recording: 'recording||failed', timeout: 30 },
      next: { recording: 'recording||next', timeout: 30 },
    },
  });
  bed.phones.push(desk);
});

afterAll(async () => {
  await bed?.close();
  await bot?.close();
  await smsc?.stop();
  server?.close();
});

async function make(kind: string, body: object): Promise<string> {
  const reply = await bed.api('POST', `/v1/${kind}`, { name: kind, ...body });
  expect(reply.status, reply.text).toBe(201);
  return `${kind}||${reply.json.id}`;
}

async function numberTo(number: string, destination: string): Promise<void> {
  expect((await bed.api('POST', '/v1/number', { number, destination })).status).toBe(201);
}

const FAILED = { failed_destination: 'ivr||failed' };

/** Made from its end: each leads to the one before. */
async function makeFlowOfAll(): Promise<void> {
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
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
  await numberTo('300', first);
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
  await makeFlowOfAll();
  const call = await bed.reach('300');
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

it.each([
  ['an inactive template', { sms_template: 'resting' }, 'it is inactive'],
  ['no number to send to', { sms_template: 'state', to: '{never}' }, 'has no number'],
  ['a number that takes no texts', { sms_template: 'state', to: '112' }, 'not a number that can receive'],
])('a message with %s sends nothing, and the caller goes on at once', async (_, body, why) => {
  const number = String(next++);
  await numberTo(number, await make('message', { ...body, next_destination: 'ivr||next' }));
  const before = smsc.submitted.length;
  const call = await bed.reach(number);
  await call.hears(hz.next, { forMs: 80 });
  await call.hangUp();
  expect(step(await bed.record(call), 'sms-skipped').text).toContain(why);
  expect(smsc.submitted).toHaveLength(before);
});
