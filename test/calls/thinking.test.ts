// Flows that ask, decide and send, in real calls: digits by tone, a system of the company over HTTP with everything that can go
// wrong there, rules, and where callers go after a conversation.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectNode } from '../../src/domain/collect.ts';
import { flowRecording, menuNode } from '../../src/domain/compile.ts';
import { requestNode } from '../../src/domain/request.ts';
import { makeFlow } from '../../src/flow/flow.ts';
import { replay } from '../../src/flow/testing/call-harness.ts';
import { verifyWebhook } from '../../src/webhook-signature.ts';
import { eidOf, extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { Json } from '../support/service.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'question', 'yes', 'no', 'failed', 'wait');
const SECRET = `whsec_${'A'.repeat(32)}`;
interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
const seen: Seen[] = [];
let bed: PhoneBed;
let provider: Phone;
let server: Server;
let url: string;

const HUGE = JSON.stringify({ choice: 'yes', padding: 'x'.repeat(70_000) });
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/yes': (response) => response.end('{"choice":"yes","order":{"state":"shipped"}}'),
  '/none': (response) => response.end('{"order":{"state":"lost"}}'),
  '/other': (response) => response.end('{"choice":"unlisted"}'),
  '/500': (response) => response.writeHead(500).end('{"choice":"yes"}'),
  '/302': (response) => response.writeHead(302, { location: '/yes' }).end(),
  '/huge': (response) => response.end(HUGE),
  '/malformed': (response) => response.end('{"choice":'),
  '/broken': (response) => response.destroy(),
  '/silent': () => undefined,
  '/slow': (response) => void setTimeout(() => response.end('{"choice":"yes"}'), 1_600),
};

beforeAll(async () => {
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
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
        agents_may_call: true,
        addresses: ['127.0.0.2'],
      },
    },
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    agents: { '1001': {} },
    menus: {
      yes: { recording: 'recording||yes', timeout: 30 },
      no: { recording: 'recording||no', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
    },
  });
  bed.phones.push(provider);
});

afterAll(async () => {
  await bed.close();
  server.closeAllConnections();
  server.close();
});

async function make(what: string, body: object): Promise<string> {
  const reply = await bed.api('POST', `/v1/${what}`, body);
  if (reply.status !== 201) throw new Error(`POST /v1/${what}: ${reply.text}`);
  return reply.json.id;
}

let next = 300;
/** A number that leads there. */
async function numberTo(destination: string): Promise<string> {
  const number = String(next++);
  await make('number', { number, destination });
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

/** What calls follow, compiled from what the API shows. */
async function presentFlow() {
  const list = async (path: string): Promise<Json[]> => (await bed.api('GET', `${path}?limit=100`)).json.data;
  const nodes = [
    ...(await list('/v1/ivrs')).map((each) => menuNode(each.id, { ...each, tests: [] })),
    ...(await list('/v1/collects')).map((each) => collectNode(each.id, each)),
    ...(await list('/v1/requests')).map((each) => requestNode(each.id, each)),
  ];
  const sounds = (await list('/v1/recordings')).map((each) => flowRecording(each.id, each));
  return makeFlow({ nodes, recordings: sounds });
}

/** Dials, hears the tone, hangs up; the record. */
async function hearing(number: string, tone: number): Promise<Json> {
  const call = await bed.reach(number);
  await call.hears(tone, { forMs: 80, withinMs: 6_000 });
  await call.hangUp();
  return bed.record(call);
}

describe('collect', () => {
  it('takes digits at the finish key, and the record has them as a variable that can be searched for', async () => {
    const number = await numberTo(`collect||${await make('collect', collect())}`);
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

  it('asks again after digits that are too few, and fails when its attempts are used up', async () => {
    const number = await numberTo(`collect||${await make('collect', collect())}`);
    const call = await bed.reach(number);
    await call.hears(hz.question, { forMs: 80 });
    await call.pressKeys('1#');
    await call.hears(hz.question, { forMs: 80 });
    await call.hears(hz.failed, { forMs: 80, withinMs: 8_000 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toEqual(expect.arrayContaining(['digits-again', 'digits-failed']));
  });

  it('hides digits that are sensitive wherever the record shows them', async () => {
    const number = await numberTo(`collect||${await make('collect', collect({ sensitive: true }))}`);
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
    const digits = await make('collect', collect({ next_destination: `request||${asked}` }));
    const call = await bed.reach(await numberTo(`collect||${digits}`));
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
    const shown = await bed.api('GET', `/v1/request/${asked}`);
    expect(shown.json.has_secret).toBe(true);
    expect(shown.text).not.toContain('whsec_');
  });

  it('is in the events of the record, which give the same trail again', async () => {
    const asked = await make('request', request('/yes', { body: { order: '{order}', call: '{call_id}' } }));
    const digits = await make('collect', collect({ next_destination: `request||${asked}` }));
    const call = await bed.reach(await numberTo(`collect||${digits}`));
    await call.hears(hz.question, { forMs: 80 });
    await call.pressKeys('123#');
    await call.hears(hz.yes, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    const again = replay(await presentFlow(), record.events);
    expect(again.map(({ atMs, ...rest }) => ({ at_ms: atMs, ...rest }))).toEqual(record.steps);
    expect(codes(record)).toEqual(expect.arrayContaining(['digits-taken', 'request-answered']));
  });

  it('goes on without a choice, and GET has its variables in the URL alone', async () => {
    const id = await make('request', request('/none', { method: 'GET', url: `${url}/none?caller={caller}` }));
    const record = await hearing(await numberTo(`request||${id}`), hz.no);
    expect(record.variables).toEqual({ state: 'lost' });
    expect(seen.at(-1)).toMatchObject({ path: `/none?caller=${record.caller}`, body: '' });
  });

  it.each([
    ['/500', 'status 500'],
    ['/302', 'status 302'],
    ['/huge', 'too large'],
    ['/malformed', 'malformed'],
    ['/broken', 'could not be reached'],
    ['/silent', 'no answer came in time'],
    ['/other', 'not among those listed'],
  ])('%s leads to the failed destination, once, with the reason in the trail', async (path, reason) => {
    const id = await make('request', request(path));
    const record = await hearing(await numberTo(`request||${id}`), hz.failed);
    expect(step(record, 'request-failed').text).toContain(reason);
    expect(seen.filter((each) => each.path === path)).toHaveLength(1);
  });

  it('fails when the server is away, or is one that may not be asked', async () => {
    const away = await make('request', request('/refused', { url: 'http://127.0.0.1:1/' }));
    const first = await hearing(await numberTo(`request||${away}`), hz.failed);
    expect(step(first, 'request-failed').text).toContain('could not be reached');
    const refused = await bed.api('POST', '/v1/request', request('/refused', { url: 'http://10.0.0.1/' }));
    expect(refused.status).toBe(400);
    const moving = await bed.api('POST', '/v1/request', request('/refused', { url: 'https://{order}/x' }));
    expect(moving.status).toBe(400);
  });

  it('lets the caller hear its recording while the answer is slow', async () => {
    const id = await make(
      'request',
      request('/slow', { timeout_ms: 4_000, wait_recording: 'recording||wait' }),
    );
    const call = await bed.reach(await numberTo(`request||${id}`));
    await call.hears(hz.wait, { forMs: 80 });
    await call.hears(hz.yes, { forMs: 80, withinMs: 4_000 });
    await call.hangUp();
  });

  it('lets the caller hear the built-in sound while the answer is slow, and not at once', async () => {
    const id = await make('request', request('/slow', { timeout_ms: 4_000 }));
    const call = await bed.reach(await numberTo(`request||${id}`));
    const answered = await call.hears(hz.yes, { forMs: 80, withinMs: 6_000 });
    await call.hangUp();
    const before = call.heard().filter(({ toMs }) => toMs <= answered.fromMs + 20);
    const sounds = before.filter((each) => each.hz !== 'silence' && each.hz !== 'nothing');
    const record = await bed.record(call);
    const waitedMs = step(record, 'request-answered').at_ms - step(record, 'request-sent').at_ms;
    expect(sounds.length, call.heardText()).toBeGreaterThan(0);
    // It began 700 ms after the request; from there on there are some 900 ms of sound, with its pauses.
    expect(answered.fromMs - (sounds[0]?.fromMs ?? 0)).toBeLessThan(waitedMs - 500);
  });
});

describe('switch', () => {
  it('decides by the number of the caller', async () => {
    const rules = [{ variable: 'caller', operator: 'starts_with', value: '555', destination: 'ivr||yes' }];
    const body = { name: 'By caller', rules, otherwise_destination: 'ivr||no' };
    const number = await numberTo(`switch||${await make('switch', body)}`);
    expect(step(await hearing(number, hz.yes), 'rule-matched').destination).toBe('ivr||yes');
    const other = await bed.reach(number, { phone: { user: '777' } });
    await other.hears(hz.no, { forMs: 80 });
    await other.hangUp();
  });

  it('keeps its former versions, and brings one back', async () => {
    const id = await make('switch', { name: 'First', rules: [], otherwise_destination: 'ivr||no' });
    await bed.api('PUT', `/v1/switch/${id}`, {
      name: 'Second',
      rules: [],
      otherwise_destination: 'ivr||yes',
    });
    expect((await bed.api('GET', `/v1/switch/${id}/versions`)).json.data).toHaveLength(2);
    expect((await bed.api('POST', `/v1/switch/${id}/restore/1`)).status).toBe(200);
    expect((await bed.api('GET', `/v1/switch/${id}`)).json.name).toBe('First');
  });
});

describe('after the call', () => {
  it('the caller goes on where the agent says when the agent hangs up first, and ends when the caller does', async () => {
    await bed.api('PATCH', `/v1/agent/${eidOf('1001')}`, { after_call_destination: 'ivr||yes' });
    const phone = await bed.agent('1001');
    const number = await numberTo(extension('1001'));
    const call = await bed.dial(number);
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    await incoming.hangUp();
    await call.hears(hz.yes, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(step(record, 'after-call').destination).toBe('ivr||yes');
    expect(record.end.code).toBe('caller-hung-up');
    expect(record.answered_by).toBe(eidOf('1001'));
  });
});

describe('POST /v1/call', () => {
  it('dials a number by the trunk, and puts whoever answers into the destination with variables', async () => {
    const rules = [{ variable: 'order', operator: 'equals', value: '4711', destination: 'ivr||yes' }];
    const id = await make('switch', { name: 'By order', rules, otherwise_destination: 'ivr||no' });
    const body = { number: '+4477', destination: `switch||${id}`, variables: { order: '4711' } };
    const placed = await bed.api('POST', '/v1/call', body);
    expect(placed.status, placed.text).toBe(201);
    const incoming = await provider.incoming();
    await incoming.answer();
    await incoming.hears(hz.yes, { forMs: 80, withinMs: 6_000 });
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
