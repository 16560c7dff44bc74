// Phones in web pages: SIP over WebSocket with a session of some minutes, and who may do what with it (docs/browser-phones.md).
// Media is plain RTP here, from the test phone on this machine.
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { publicKey } from '../../src/domain/phone-session.ts';
import { ACCOUNT, eidOf, extension } from '../support/pbx.ts';
import { call as ask, type Json, type Reply, runProcess } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');
const ORIGIN = 'https://www.example.com';
const KEY = publicKey(ACCOUNT, 'website-sales');
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    // Phones in pages are offered plain RTP then, which the phones of this test speak.
    env: { WEBRTC_PORT: 'off' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main', '200': extension('1002'), '400': extension('1004') },
    settings: {
      call_buttons: [
        { key: 'website-sales', name: 'Sales', to: 'ivr||main', origins: [ORIGIN] },
        { key: 'to-be-removed', name: 'Old', to: '100', origins: [ORIGIN] },
      ],
    },
  });
});
afterAll(() => bed.close());

const { socketUrl, session, page, buttonSession } = new WebPages(() => bed);

/** The status that a WebSocket is refused with; 101: it is not. */
function upgrade(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  protocol = 'sip',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketUrl(path), protocol, { headers });
    socket.once('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.once('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', (error) => (String(error).includes('Unexpected') ? undefined : reject(error)));
  });
}

describe('a page that is an agent', () => {
  it('registers beside the desk phone, rings with it, and talks', async () => {
    const desk = await bed.agent('1001');
    const web = await page(await session({ agent: eidOf('1001') }));
    expect(await web.register()).toBe(200);
    expect((await bed.api('GET', `/v1/agent/${eidOf('1001')}/phones`)).json).toHaveLength(2);
    const caller = await bed.choose('100', hz.prompt, '1');
    const [atDesk, atWeb] = await Promise.all([desk.incoming(), web.incoming()]);
    await atWeb.answer();
    await caller.sendTone(hz.caller);
    await atWeb.hears(hz.caller);
    await atWeb.sendTone(hz.agent);
    await caller.hears(hz.agent);
    expect(await atDesk.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await atWeb.hangUp();
    await caller.ended();
    expect(await web.unregister()).toBe(200);
    expect((await bed.api('GET', `/v1/agent/${eidOf('1001')}/phones`)).json).toHaveLength(1);
  });

  it('calls as the agent, by name and number', async () => {
    const colleague = await bed.agent('1002');
    const web = await page(await session({ agent: eidOf('1003') }));
    const call = await web.call('1002');
    const came = await colleague.incoming();
    await came.answer();
    await call.answered();
    const record = await bed.until('the call', async () => {
      const { json } = await bed.api('GET', '/v1/live_calls');
      return json.data.find(({ caller }: Json) => caller === '1003') ?? null;
    });
    expect(record).toMatchObject({ direction: 'internal', dialled: '1002' });
    await call.hangUp();
  });

  it('is no phone any more when its agent is deleted', async () => {
    const { json: agent } = await bed.api('POST', '/v1/agent', { name: 'Short', intercom: '1009' });
    const web = await page(await session({ agent: agent.eid }));
    expect(await web.register()).toBe(200);
    expect((await bed.api('DELETE', `/v1/agent/${agent.eid}`)).status).toBe(200);
    const refused = Promise.race([
      web.register().then((status) => status === 200),
      new Promise((resolve) => setTimeout(() => resolve(false), 2_000)),
    ]);
    expect(await refused).toBe(false);
  });

  it('keeps the phones with the password registered, whatever the page unregisters', async () => {
    const desk = await bed.agent('1004');
    const web = await page(await session({ agent: eidOf('1004') }));
    expect(await web.register(0, web.options.server, desk.contact)).toBe(200);
    expect(await web.register(300, web.options.server, desk.contact)).toBe(200);
    for (let at = 0; at < 12; at++)
      await web.register(300, web.options.server, `<sip:${at}@page.invalid;transport=ws>`);
    const colleague = await bed.phone();
    const ringing = await colleague.call('400');
    await (await desk.incoming()).answer();
    await (await ringing.answered()).hangUp();
    web.close();
    await bed.until('one phone', async () => {
      const { json } = await bed.api('GET', `/v1/agent/${eidOf('1004')}/phones`);
      return json.length === 1;
    });
  });
});

describe('a page that is a guest', () => {
  it('calls what its session is for, and the record says so', async () => {
    const made = await session({ to: 'ivr||main' });
    expect(made).toMatchObject({ dial: 'call', may: ['call_destination'] });
    const web = await page(made);
    const call = await (await web.call('call')).answered();
    await call.hears(hz.prompt);
    await call.hangUp();
    const record = await bed.record('web');
    expect(record).toMatchObject({
      direction: 'inbound',
      entry: 'ivr||main',
      web: { button: null, page: '' },
    });
    expect(record.ladder[0]).toMatchObject({ transport: 'ws' });
  });

  it.each(['1002', '100', '+441234', '*60', 'sip:call@other.example'])(
    'reaches nothing else: %s is refused',
    async (dialled) => {
      const web = await page(await session({ to: '200' }));
      const call = await web.call(dialled);
      expect((await call.ended()).status).toBeGreaterThanOrEqual(403);
    },
  );

  it('cannot register, subscribe, transfer or have two calls at once', async () => {
    const web = await page(await session({ to: '100' }));
    expect(await web.register()).toBe(403);
    expect((await web.subscribe('1001', 'dialog')).status).toBe(403);
    const first = await (await web.call('100')).answered();
    expect(await first.refer('1002')).toBe(403);
    const second = await web.call('100');
    expect(await second.ended()).toMatchObject({ status: 486 });
    await first.hangUp();
  });
});

describe('the credentials of a session', () => {
  it.each([
    ['no session', async () => '/sip'],
    ['garbage', async () => '/sip?session=v1.AAAA'],
    ['a session that was changed', async () => `${(await session({ to: '100' })).path.slice(0, -3)}AAA`],
    ['an access token in its place', async () => '/sip?session=test-token-of-the-first-account'],
  ])('%s opens no WebSocket', async (_, path) => {
    expect(await upgrade(await path())).toBe(401);
  });

  it('count on their own WebSocket alone: neither by UDP, nor on that of another session', async () => {
    const made = await session({ agent: eidOf('1001') });
    const udp = await bed.phone({ user: made.username, password: made.password });
    expect(await udp.register()).toBe(401);
    const other = await session({ agent: eidOf('1002') });
    const mixed = await bed.phone({
      user: made.username,
      password: made.password,
      transport: 'ws',
      webSocket: { url: socketUrl(other.path) },
    });
    expect(await mixed.register()).toBe(401);
  });

  it('are not the agent’s password, and that is none of theirs', async () => {
    const made = await session({ agent: eidOf('1001') });
    const wrong = await page({ ...made, password: 'correct horse battery staple' });
    expect(await wrong.register()).toBe(401);
    const asAgent = await page({ ...made, username: '1001', password: 'correct horse battery staple' });
    expect(await asAgent.register()).toBe(401);
  });

  it('end with DELETE: the connection closes, the phone is gone, and no other opens', async () => {
    const made = await session({ agent: eidOf('1003') });
    const web = await page(made);
    expect(await web.register()).toBe(200);
    const { json } = await bed.api('GET', '/v1/phone_sessions');
    expect(json.data.find(({ id }: Json) => id === made.id)).toMatchObject({
      agent: eidOf('1003'),
      connections: 1,
      may: ['register', 'call'],
    });
    expect((await bed.api('DELETE', `/v1/phone_session/${made.id}`)).status).toBe(200);
    await expect.poll(() => web.closeCode).toBe(1008);
    expect(await upgrade(made.path)).toBe(401);
    expect((await bed.api('GET', `/v1/agent/${eidOf('1003')}/phones`)).json).toHaveLength(0);
  });

  it('end with the token that they were made by', async () => {
    const made = await bed.api('POST', '/v1/token', { name: 'page', scopes: ['calls'] });
    const { token, id } = made.json;
    const { json } = await ask(bed.pbx.url, 'POST', '/v1/phone_session', {
      body: { agent: eidOf('1003') },
      token,
    });
    const web = await page(json);
    expect(await web.register()).toBe(200);
    expect((await bed.api('DELETE', `/v1/token/${id}`)).status).toBe(200);
    expect(await upgrade(json.path)).toBe(401);
    await expect.poll(() => web.closeCode).toBe(1008);
  });

  it('are for pages of our own origin', async () => {
    const { path } = await session({ to: '100' });
    expect(await upgrade(path, { origin: ORIGIN })).toBe(403);
    expect(await upgrade(path, { origin: 'null' })).toBe(403);
    expect(await upgrade(path, { origin: bed.pbx.url })).toBe(101);
  });
});

describe('another account', () => {
  it('neither sees nor ends a session, nor makes one for an agent that is not its own', async () => {
    const { id } = await session({ agent: eidOf('1001') });
    const made = await runProcess(['account', 'create', 'second'], {
      env: { SIP: 'on' },
      dataDir: bed.pbx.dataDir,
    });
    const token = /dialtree_[\w-]{43}/.exec(made.out)?.[0] ?? '';
    const other = (method: string, path: string, body?: object): Promise<Reply> =>
      ask(bed.pbx.url, method, path, { token, ...(body ? { body } : {}) });
    expect((await other('GET', '/v1/phone_sessions')).json.data).toEqual([]);
    expect((await other('DELETE', `/v1/phone_session/${id}`)).json).toMatchObject({ Code: 'record_unknown' });
    expect((await other('POST', '/v1/phone_session', { agent: eidOf('1001') })).status).toBe(404);
    // A guest of the other account, for a number that only the first one has.
    const { json } = await other('POST', '/v1/phone_session', { to: '100' });
    const web = await page(json);
    // 403 while the telephone side does not know the new account yet.
    expect([403, 404]).toContain((await (await web.call('100')).ended()).status);
  });
});

describe('the WebSocket', () => {
  it('needs the subprotocol sip, and two of a session are enough', async () => {
    const made = await session({ to: '100' });
    expect(await upgrade(made.path, {}, 'chat')).toBe(400);
    await page(made);
    await page(made);
    expect(await upgrade(made.path)).toBe(429);
  });

  it('takes a message in fragments, and closes on one that is too long, broken or too many', async () => {
    const open = async (): Promise<{ socket: WebSocket; closed: Promise<number>; heard: string[] }> => {
      const { path } = await session({ to: '100' });
      const socket = new WebSocket(socketUrl(path), 'sip');
      const heard: string[] = [];
      socket.on('message', (data) => heard.push(String(data)));
      socket.on('error', () => undefined);
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      await new Promise((resolve) => socket.once('open', resolve));
      return { socket, closed, heard };
    };
    const text =
      'OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/WS x.invalid;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n';
    const pieces = await open();
    for (const letter of text.slice(0, -1)) pieces.socket.send(letter, { fin: false });
    pieces.socket.send(text.slice(-1), { fin: true });
    await expect.poll(() => pieces.heard[0]).toMatch(/^SIP\/2\.0 200 /);
    pieces.socket.send('\r\n\r\n');
    await expect.poll(() => pieces.heard[1]).toBe('\r\n');
    pieces.socket.send('x'.repeat(40_000));
    expect(await pieces.closed).toBe(1009);

    const broken = await open();
    // A text frame that is not UTF-8, written past the library.
    (broken.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]),
    );
    expect(await broken.closed).toBe(1007);

    const flood = await open();
    for (let at = 0; at < 100; at++) flood.socket.send('\r\n\r\n');
    expect(await flood.closed).toBe(1008);
    expect((await bed.api('GET', '/v1/health')).status).toBe(200);
  });

  it('is one path alone: a request for another protocol elsewhere is answered as ever', async () => {
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(bed.pbx.url);
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
      httpRequest({ hostname, port, path: '/healthz', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

describe('a call button', () => {
  it('makes a guest of a visitor, whose name and page are in the record', async () => {
    const { status, json, headers } = await buttonSession(KEY, ORIGIN, {
      name: 'Asha',
      page: `${ORIGIN}/prices?token=secret`,
    });
    expect(status, JSON.stringify(json)).toBe(201);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const web = await page(json, ORIGIN);
    const call = await (await web.call(json.dial)).answered();
    await call.hears(hz.prompt);
    await call.hangUp();
    const record = await bed.until('the record', async () => {
      const one = await bed.record('web');
      return one.caller_name === 'Asha' ? one : null;
    });
    expect(record).toMatchObject({ entry: 'ivr||main', web: { button: KEY, page: `${ORIGIN}/prices` } });
  });

  it('is for pages of its origins alone', async () => {
    for (const origin of [null, 'https://evil.example', 'https://www.example.com.evil.example', 'null'])
      expect((await buttonSession(KEY, origin)).json).toMatchObject({ Code: 'origin_refused' });
    expect((await buttonSession(publicKey(ACCOUNT, 'no-such-key'), ORIGIN)).status).toBe(403);
    expect((await buttonSession('website-sales', ORIGIN)).status).toBe(403);
    const { json } = await buttonSession(KEY, ORIGIN);
    expect(await upgrade(json.path, { origin: 'https://evil.example' })).toBe(403);
  });

  it('answers the preflight of those origins, and says nothing to others', async () => {
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${bed.pbx.url}/v1/call_button/${KEY}/session`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight(ORIGIN);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('works no longer once it is removed: the session that is open closes', async () => {
    const key = publicKey(ACCOUNT, 'to-be-removed');
    const { json } = await buttonSession(key, ORIGIN);
    const web = await page(json, ORIGIN);
    const call = await (await web.call(json.dial)).answered();
    const { json: settings } = await bed.api('GET', '/v1/settings');
    const call_buttons = settings.call_buttons.filter((each: Json) => each.key !== 'to-be-removed');
    expect((await bed.api('PUT', '/v1/settings', { ...settings, call_buttons })).status).toBe(200);
    expect((await buttonSession(key, ORIGIN)).status).toBe(403);
    await expect.poll(() => web.closeCode).toBe(1008);
    await bed.until('the end of the call', async () => (await bed.metric('dialtree_calls')) === 0, 15_000);
    call.abandon();
  });

  it('is limited for each key', async () => {
    const { json: settings } = await bed.api('GET', '/v1/settings');
    const button = { key: 'key-of-a-flood', name: '', to: '100', origins: [ORIGIN] };
    await bed.api('PUT', '/v1/settings', { ...settings, call_buttons: [...settings.call_buttons, button] });
    const all = await Promise.all(
      Array.from({ length: 250 }, () => buttonSession(publicKey(ACCOUNT, button.key), ORIGIN)),
    );
    const refused = all.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]?.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect((await buttonSession(KEY, ORIGIN)).status).toBe(201);
  });
});
