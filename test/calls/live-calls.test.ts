// Calls that live: seen and followed over HTTP, hung up, sent elsewhere, and begun by a click.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/exchange.ts';
import { call as ask, type Json, runDialtree, TOKEN } from '../support/service.ts';
import { codes, Lines, tones } from './support/lines.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'outside');
let lines: Lines;
let provider: Awaited<ReturnType<Lines['phone']>>;

beforeAll(async () => {
  lines = await Lines.open({
    recordings,
    agents: {
      '1001': { product_clicktocall: 1 },
      '1002': {},
      '1003': { product_clicktocall: 1 },
      '1004': { product_clicktocall: 1, custom_status: 1 },
    },
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main', '71': extension('1001'), '72': extension('1002') },
  });
  provider = await lines.phone({ user: 'provider' });
  const made = await lines.api('POST', '/v1/trunk', {
    name: 'provider',
    host: '127.0.0.1',
    port: provider.port,
    outbound_prefixes: ['+44'],
    agents_may_call: true,
    caller_id: '+441000',
  });
  expect(made.status, made.text).toBe(201);
});

afterAll(() => lines.close());

const live = async (): Promise<Json[]> => (await lines.api('GET', '/v1/live_calls')).json.data;

/** Events as they come, until enough have; the connection is closed then. */
async function follow(
  lastEventId: string | null,
  until: (events: { id?: string; event?: string; data: Json }[]) => boolean,
): Promise<{ id?: string; event?: string; data: Json }[]> {
  const stop = new AbortController();
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
  };
  const answer = await fetch(`${lines.exchange.url}/v1/live_calls/events`, { headers, signal: stop.signal });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const events: { id?: string; event?: string; data: Json }[] = [];
  let text = '';
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.data) events.push({ ...fields, data: JSON.parse(fields.data) });
    }
    if (until(events)) break;
  }
  stop.abort();
  return events;
}

describe('live calls', () => {
  it('are listed while they live, with what they are doing', async () => {
    const caller = await lines.reach('100');
    await caller.hears(hz.prompt, { forMs: 40 });
    expect(await live()).toMatchObject([
      { dialled: '100', direction: 'inbound', state: 'menu', node: 'ivr||main' },
    ]);
    await caller.hangUp();
    await lines.until('no live call', async () => (await live()).length === 0);
  });

  it('are followed by events; who comes back goes on where the connection broke', async () => {
    const following = follow(null, (events) => events.some(({ event }) => event === 'call.menu_entered'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const caller = await lines.reach('100');
    const first = await following;
    expect(first.map(({ event }) => event)).toEqual(['snapshot', 'call.received', 'call.menu_entered']);
    await caller.hangUp();
    await lines.record(caller);
    const second = await follow(first.at(-1)?.id ?? '', (events) =>
      events.some(({ event }) => event === 'call.ended'),
    );
    expect(second.map(({ event }) => event)).toEqual(['call.ended']);
    expect(second[0]?.data).toMatchObject({ type: 'call.ended', call: first[1]?.data.call });
  });

  it('are hung up by request, and the record says so', async () => {
    const caller = await lines.reach('100');
    const [{ id }] = (await live()) as [Json];
    expect((await lines.api('POST', '/v1/call/hangup', { id })).json).toMatchObject({ Success: true });
    await caller.ended();
    expect((await lines.record(caller)).end_code).toBe('operator-hung-up');
    const again = await lines.api('POST', '/v1/call/hangup', { id });
    expect([again.status, again.json.Code]).toEqual([404, 'record_unknown']);
  });

  it('of one account are nobody else’s: not seen, not followed, not touched', async () => {
    const made = await runDialtree(['account', 'create', 'second'], { dataDir: lines.exchange.dataDir });
    const token = made.out.trim();
    const caller = await lines.reach('100');
    const [{ id }] = (await live()) as [Json];
    const { url } = lines.exchange;
    expect((await ask(url, 'GET', '/v1/live_calls', { token })).json.data).toEqual([]);
    for (const [path, body] of [
      ['/v1/call/hangup', { id }],
      ['/v1/call/transfer', { id, destination: extension('1001') }],
    ] as const) {
      const reply = await ask(url, 'POST', path, { token, body });
      expect([path, reply.status, reply.json.Code]).toEqual([path, 404, 'record_unknown']);
    }
    const click = { agent: eidOf('1001'), number: '100' };
    const reply = await ask(url, 'POST', '/v1/click_to_call', { token, body: click });
    expect([reply.status, reply.json.Code]).toEqual([404, 'record_unknown']);
    caller.forget();
    expect(await live()).toHaveLength(1);
    await caller.hangUp();
  });
});

describe('a transfer by request', () => {
  it('takes a caller out of the menu to an agent: both are heard', async () => {
    const phone = await lines.agent('1001');
    const caller = await lines.reach('100');
    const [{ id }] = (await live()) as [Json];
    const reply = await lines.api('POST', '/v1/call/transfer', { id, destination: extension('1001') });
    expect(reply.status, reply.text).toBe(200);
    const incoming = await phone.incoming();
    await incoming.answer();
    await caller.sendTone(hz.caller);
    await incoming.sendTone(hz.agent);
    await Promise.all([caller.hears(hz.agent, { forMs: 200 }), incoming.hears(hz.caller, { forMs: 200 })]);
    // And on to a menu, out of the conversation.
    const [talking] = (await live()) as [Json];
    expect(talking).toMatchObject({ state: 'connected', agent: eidOf('1001') });
    caller.forget();
    await lines.api('POST', '/v1/call/transfer', { id: talking.id, destination: 'ivr||main' });
    await incoming.ended();
    await caller.hears(hz.prompt, { forMs: 100 });
    await caller.hangUp();
    await phone.unregister();
  });

  it('of the called side needs somebody who answered, and a number that a trunk lets out', async () => {
    const caller = await lines.reach('100');
    const [{ id }] = (await live()) as [Json];
    const early = await lines.api('POST', '/v1/call/transfer', {
      id,
      destination: extension('1002'),
      party: 'called',
    });
    expect([early.status, early.json.Code]).toEqual([409, 'call_not_connected']);
    const away = await lines.api('POST', '/v1/call/transfer', { id, destination: 'number||+1900555' });
    expect([away.status, away.json.Errors[0].Code]).toEqual([400, 'number_not_allowed']);
    await caller.hangUp();
  });
});

describe('click to call', () => {
  const click = (body: object, headers: Record<string, string> = {}) =>
    ask(lines.exchange.url, 'POST', '/v1/click_to_call', { body, headers });

  it('rings the agent, then the number by the trunk: both hear each other', async () => {
    const phone = await lines.agent('1001');
    const reply = await click({ agent: eidOf('1001'), number: '+44207946' });
    expect(reply.status, reply.text).toBe(201);
    const agent = await phone.incoming();
    expect(await live()).toMatchObject([{ id: reply.json.id, state: 'calling_agent', dialled: '+44207946' }]);
    await agent.answer();
    const outside = await provider.incoming();
    await outside.answer();
    await agent.sendTone(hz.agent);
    await outside.sendTone(hz.outside);
    await Promise.all([agent.hears(hz.outside, { forMs: 200 }), outside.hears(hz.agent, { forMs: 200 })]);
    await agent.hangUp();
    await outside.ended();
    const record = await lines.until('its record', async () => {
      const found = await lines.api('GET', reply.headers.get('location') ?? '');
      return found.status === 200 ? found.json : null;
    });
    expect(record).toMatchObject({
      id: reply.json.id,
      direction: 'outbound',
      caller: '1001',
      dialled: '+44207946',
    });
    expect(codes(record)).toEqual(expect.arrayContaining(['ringing', 'connected', 'ended']));
    await phone.unregister();
  });

  it('with the same Idempotency-Key rings once', async () => {
    const phone = await lines.agent('1001');
    const key = { 'idempotency-key': 'one click' };
    const body = { agent: eidOf('1001'), number: '100' };
    const first = await click(body, key);
    const second = await click(body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const agent = await phone.incoming();
    await agent.answer();
    await agent.hears(hz.prompt, { forMs: 100 });
    expect(phone.calls).toHaveLength(1);
    await agent.hangUp();
    await phone.unregister();
  });

  it('is refused where it must be, rings nobody, and a refusal does not use up the key', async () => {
    const phone = await lines.agent('1003');
    const refusals: [object, number, string][] = [
      [{ agent: eidOf('1002'), number: '100' }, 403, 'click_to_call_not_applied'],
      [{ agent: eidOf('1004'), number: '100' }, 409, 'agent_unavailable'],
      [{ agent: eidOf('1001'), number: '100' }, 409, 'agent_unavailable'],
      [{ agent: 'nobody', number: '100' }, 404, 'record_unknown'],
      [{ agent: eidOf('1003'), number: '+19005551234' }, 400, 'fields_invalid'],
      [{ agent: eidOf('1003') }, 400, 'fields_invalid'],
    ];
    for (const [body, status, code] of refusals) {
      const reply = await click(body, { 'idempotency-key': JSON.stringify(body) });
      expect([reply.status, reply.json.Code], reply.text).toEqual([status, code]);
      expect((await click(body, { 'idempotency-key': JSON.stringify(body) })).json.Code).toBe(code);
    }
    await lines.api('PUT', '/v1/settings', { max_outbound_calls: 0 });
    const full = await click({ agent: eidOf('1003'), number: '+44207946' });
    expect([full.status, full.json.Code]).toEqual([403, 'outbound_limit_reached']);
    await lines.api('PUT', '/v1/settings', { max_outbound_calls: 30 });
    expect(phone.calls).toHaveLength(0);
    const stranger = await ask(lines.exchange.url, 'POST', '/v1/click_to_call', {
      token: null,
      body: { agent: eidOf('1003'), number: '100' },
    });
    expect(stranger.status).toBe(401);
    await phone.unregister();
  });
});
