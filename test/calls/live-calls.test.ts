// Calls that live: seen and followed over HTTP, hung up, sent elsewhere, and begun by a click.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { call as ask, type Json, runProcess, TOKEN } from '../support/service.ts';
import { callerOf, codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'outside');
interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly data: Json;
}

let bed: PhoneBed;
let provider: Awaited<ReturnType<PhoneBed['phone']>>;

onAnyDatabase((database) => {
  let databaseUrl: string | undefined;
  beforeAll(async () => {
    databaseUrl = (await database.environment())['DATABASE_URL'];
    bed = await PhoneBed.open({
      ...(databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {}),
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
    provider = await bed.phone({ user: 'provider' });
    const made = await bed.api('POST', '/v1/trunk', {
      name: 'provider',
      host: '127.0.0.1',
      port: provider.port,
      outbound_prefixes: ['+44'],
      agents_may_call: true,
      caller_id: '+441000',
    });
    expect(made.status, made.text).toBe(201);
  });

  afterAll(() => bed.close());

  const live = async (): Promise<Json[]> => (await bed.api('GET', '/v1/live_calls')).json.data;

  /** This caller's call, whatever others are still ending. */
  async function liveOf(caller: PhoneCall): Promise<Json> {
    const number = callerOf(caller);
    return bed.until(
      `a live call of ${number}`,
      async () => (await live()).find((one) => one.caller === number) ?? null,
    );
  }

  const ofCaller = (caller: PhoneCall, events: readonly Event[]): Event[] =>
    events.filter(({ data }) => data.call?.caller === callerOf(caller));

  /** Events as they come, until enough have; the connection is closed then. */
  async function follow(lastEventId: string | null, until: (events: Event[]) => boolean): Promise<Event[]> {
    const stop = new AbortController();
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    };
    const answer = await fetch(`${bed.pbx.url}/v1/live_calls/events`, { headers, signal: stop.signal });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events: Event[] = [];
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
      const caller = await bed.reach('100');
      await caller.hears(hz.prompt, { forMs: 40 });
      expect(await liveOf(caller)).toMatchObject({ dialled: '100', state: 'menu', node: 'ivr||main' });
      const found = async (query: string): Promise<number> =>
        (await bed.api('GET', `/v1/live_calls?caller=${encodeURIComponent(callerOf(caller))}&${query}`)).json
          .data.length;
      expect([await found('state=menu&direction=inbound'), await found('state=queue')]).toEqual([1, 0]);
      expect(await found(`agent=${eidOf('1001')}`)).toBe(0);
      await caller.hangUp();
      const number = callerOf(caller);
      await bed.until('no such call', async () => (await live()).every((one) => one.caller !== number));
    });

    it('are followed by events; who comes back goes on where the connection broke', async () => {
      let begun = false;
      const following = follow(null, (events) => {
        begun = events.length > 0;
        return events.some(({ event }) => event === 'call.menu_entered');
      });
      await bed.until('the snapshot', async () => begun);
      const caller = await bed.reach('100');
      const first = await following;
      expect(first[0]?.event).toBe('snapshot');
      expect(ofCaller(caller, first).map(({ event }) => event)).toEqual([
        'call.received',
        'call.menu_entered',
      ]);
      await caller.hangUp();
      await bed.record(caller);
      const received = await follow(first.at(-1)?.id ?? '', (events) =>
        ofCaller(caller, events).some(({ event }) => event === 'call.ended'),
      );
      const second = ofCaller(caller, received);
      expect(second.map(({ event }) => event)).toEqual(['call.ended']);
      // The envelope of a webhook, and beside it the members of former versions.
      const { id: _, type, timestamp, data, at, ...beside } = second[0]?.data ?? {};
      expect([type, at, beside]).toEqual(['call.ended', timestamp, data]);
      expect(data.call).toMatchObject({ call_id: data.call.id, sip_call_id: caller.dialog.callId });
    });

    it('are hung up by request, and the record says so', async () => {
      const caller = await bed.reach('100');
      const { id } = await liveOf(caller);
      expect((await bed.api('POST', '/v1/call/hangup', { id })).json).toMatchObject({ Success: true });
      await caller.ended();
      expect((await bed.record(caller)).end_code).toBe('operator-hung-up');
      const again = await bed.api('POST', '/v1/call/hangup', { id });
      expect([again.status, again.json.Code]).toEqual([404, 'record_unknown']);
    });

    it('of one account are not seen, followed or changed by another', async () => {
      const made = await runProcess(['account', 'create', 'second'], {
        dataDir: bed.pbx.dataDir,
        ...(databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {}),
      });
      const token = made.out.trim();
      const { url } = bed.pbx;
      const theirs = await fetch(`${url}/v1/live_calls/events`, {
        headers: { authorization: `Bearer ${token}` },
      });
      // A browser that was signed in with the same token.
      const signedIn = await ask(url, 'POST', '/v1/session', { token: null, body: { token } });
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
      const browser = await fetch(`${url}/v1/live_calls/events`, { headers: { cookie } });
      expect(browser.status).toBe(200);
      let received = '';
      const following = [theirs, browser].map(async ({ body }) => {
        try {
          for await (const bytes of body ?? []) received += Buffer.from(bytes).toString();
        } catch {
          // Broken off.
        }
      });
      const caller = await bed.reach('100');
      const { id } = await liveOf(caller);
      expect((await ask(url, 'GET', '/v1/live_calls', { token })).json.data).toEqual([]);
      for (const [path, body] of [
        ['/v1/call/hangup', { id }],
        ['/v1/call/transfer', { id, destination: extension('1001') }],
        ['/v1/call/listen', { id, agent: eidOf('1001') }],
      ] as const) {
        const reply = await ask(url, 'POST', path, { token, body });
        expect([path, reply.status, reply.json.Code]).toEqual([path, 404, 'record_unknown']);
      }
      const click = { agent: eidOf('1001'), number: '100' };
      const reply = await ask(url, 'POST', '/v1/click_to_call', { token, body: click });
      expect([reply.status, reply.json.Code]).toEqual([404, 'record_unknown']);
      caller.forget();
      expect(await liveOf(caller)).toMatchObject({ id });
      await caller.hangUp();
      await bed.record(caller);
      expect(received).toContain('event: snapshot\ndata: {"data":[]}');
      expect(received).not.toContain('call.');
      // A revoked token ends the event streams that it opened (threat T15), and those of the browser sessions it made.
      const { json } = await ask(url, 'GET', '/v1/tokens', { token });
      await ask(url, 'DELETE', `/v1/token/${json.data[0].id}`, { token });
      await Promise.all(following);
    });

    it('are followed by MAX_FOLLOWERS clients at most, and a HEAD request does not count', async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      for (let times = 0; times < 60; times++) {
        const reply = await fetch(`${bed.pbx.url}/v1/live_calls/events`, { method: 'HEAD', headers });
        expect(reply.status).toBe(200);
      }
      const events = await follow(null, (all) => all.length > 0);
      expect(events[0]?.event).toBe('snapshot');
    });
  });

  describe('telephones', () => {
    it('get where to register from the API, and are listed when they have', async () => {
      const { json: telephony } = await bed.api('GET', '/v1/telephony');
      expect(telephony).toEqual({
        sip: true,
        host: '127.0.0.1',
        port: bed.pbx.sip.port,
        tls_port: null,
        transports: ['udp', 'tcp'],
        advertised_address: null,
        realm: 'dialtree',
        sms: true,
        email: false,
        speech: expect.any(Boolean),
      });
      const path = `/v1/agent/${eidOf('1002')}/phones`;
      expect((await bed.api('GET', path)).json).toEqual([]);
      const phone = await bed.agent('1002');
      const { json: phones } = await bed.api('GET', path);
      const some = expect.any(String);
      expect(phones).toEqual([{ address: '127.0.0.1', user_agent: some, expires_at: some, reachable: true }]);
      expect(Date.parse(phones[0].expires_at)).toBeGreaterThan(Date.now());
      await phone.unregister();
      expect((await bed.api('GET', path)).json).toEqual([]);
      expect((await bed.api('GET', '/v1/agent/nobody/phones')).status).toBe(404);
    });
  });

  describe('a transfer by request', () => {
    it('takes a caller out of the menu to an agent: both are heard', async () => {
      const phone = await bed.agent('1001');
      const caller = await bed.reach('100');
      const { id } = await liveOf(caller);
      const reply = await bed.api('POST', '/v1/call/transfer', { id, destination: extension('1001') });
      expect(reply.status, reply.text).toBe(200);
      const incoming = await phone.incoming();
      await incoming.answer();
      await caller.sendTone(hz.caller);
      await incoming.sendTone(hz.agent);
      await Promise.all([caller.hears(hz.agent, { forMs: 200 }), incoming.hears(hz.caller, { forMs: 200 })]);
      // And on to a menu, out of the conversation.
      const talking = await liveOf(caller);
      expect(talking).toMatchObject({ state: 'connected', agent: eidOf('1001') });
      caller.forget();
      await bed.api('POST', '/v1/call/transfer', { id: talking.id, destination: 'ivr||main' });
      await incoming.ended();
      await caller.hears(hz.prompt, { forMs: 100 });
      await caller.hangUp();
      await phone.unregister();
    });

    it('of the called side needs an answered leg, and a number that a trunk routes', async () => {
      const caller = await bed.reach('100');
      const { id } = await liveOf(caller);
      const early = await bed.api('POST', '/v1/call/transfer', {
        id,
        destination: extension('1002'),
        party: 'called',
      });
      expect([early.status, early.json.Code]).toEqual([409, 'call_not_connected']);
      const away = await bed.api('POST', '/v1/call/transfer', { id, destination: 'number||+1900555' });
      expect([away.status, away.json.Errors[0].Code]).toEqual([400, 'number_not_allowed']);
      const nowhere = await bed.api('POST', '/v1/call/transfer', { id, destination: 'ivr||mian' });
      expect([nowhere.status, nowhere.json.Errors[0].Code]).toEqual([400, 'reference_unknown']);
      expect(await liveOf(caller)).toMatchObject({ id, state: 'menu' });
      await caller.hangUp();
    });
  });

  describe('listening in', () => {
    it('lets a third hear both, then be heard by the agent, then by both; it ends with the call', async () => {
      const phone = await bed.agent('1001');
      const boss = await bed.agent('1003');
      const caller = await bed.dial('71');
      const agent = await phone.incoming();
      await agent.answer();
      await caller.answered();
      const { id } = await liveOf(caller);
      const listen = (mode: string) => bed.api('POST', '/v1/call/listen', { id, agent: eidOf('1003'), mode });
      const rings = await listen('monitor');
      expect([rings.status, rings.json.Message]).toEqual([200, `The phones of agent ${eidOf('1003')} ring.`]);
      const third = await boss.incoming();
      await third.answer();
      // One speaks at a time: a mixture of tones is no tone.
      await caller.sendTone(hz.caller);
      await third.hears(hz.caller, { forMs: 100 });
      await caller.sendSilence();
      await agent.sendTone(hz.agent);
      await third.hears(hz.agent, { forMs: 100 });
      await agent.sendSilence();
      const hearsBoss = (who: typeof caller): boolean =>
        who.heard().some(({ hz: tone }) => tone === hz.outside);
      await third.sendTone(hz.outside);
      await agent.hearsSilence(300);
      expect([hearsBoss(agent), hearsBoss(caller)]).toEqual([false, false]);
      expect((await listen('whisper')).status).toBe(200);
      await agent.hears(hz.outside, { forMs: 100 });
      expect(hearsBoss(caller)).toBe(false);
      expect((await listen('barge')).status).toBe(200);
      await caller.hears(hz.outside, { forMs: 100 });
      await caller.hangUp();
      await third.ended();
      await Promise.all([phone.unregister(), boss.unregister()]);
      const { json } = await bed.api('GET', '/v1/audit?kind=call&limit=3');
      expect(json.data.map((entry: Json) => entry.action)).toEqual([
        'listen_barge',
        'listen_whisper',
        'listen_monitor',
      ]);
    });

    it('needs a conversation, and an agent who is there', async () => {
      const caller = await bed.reach('100');
      const { id } = await liveOf(caller);
      const early = await bed.api('POST', '/v1/call/listen', { id, agent: eidOf('1003') });
      expect([early.status, early.json.Code]).toEqual([409, 'call_not_connected']);
      await caller.hangUp();
    });
  });

  describe('click to call', () => {
    const click = (body: object, headers: Record<string, string> = {}) =>
      ask(bed.pbx.url, 'POST', '/v1/click_to_call', { body, headers });

    it('rings the agent, then the number by the trunk: both hear each other', async () => {
      const phone = await bed.agent('1001');
      const reply = await click({ agent: eidOf('1001'), number: '+44207946' });
      expect(reply.status, reply.text).toBe(201);
      const agent = await phone.incoming();
      expect((await live()).find((one) => one.id === reply.json.id)).toMatchObject({
        state: 'calling_agent',
        dialled: '+44207946',
      });
      await agent.answer();
      const outside = await provider.incoming();
      await outside.answer();
      await agent.sendTone(hz.agent);
      await outside.sendTone(hz.outside);
      await Promise.all([agent.hears(hz.outside, { forMs: 200 }), outside.hears(hz.agent, { forMs: 200 })]);
      await agent.hangUp();
      await outside.ended();
      const record = await bed.until('its record', async () => {
        const found = await bed.api('GET', reply.headers.get('location') ?? '');
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
      const phone = await bed.agent('1001');
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

    it('is refused where it must be, rings no phone, and a refusal does not use up the key', async () => {
      const phone = await bed.agent('1003');
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
      await bed.api('PATCH', '/v1/settings', { max_outbound_calls: 0 });
      const full = await click({ agent: eidOf('1003'), number: '+44207946' });
      expect([full.status, full.json.Code]).toEqual([403, 'outbound_limit_reached']);
      await bed.api('PATCH', '/v1/settings', { max_outbound_calls: 30 });
      expect(phone.calls).toHaveLength(0);
      const stranger = await ask(bed.pbx.url, 'POST', '/v1/click_to_call', {
        token: null,
        body: { agent: eidOf('1003'), number: '100' },
      });
      expect(stranger.status).toBe(401);
      await phone.unregister();
    });
  });
});
