import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { WebPhone, WebPhoneEnds, WebPhoneLink, WebPhoneUser } from '../../calls/web-phones.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { GUEST_MS, type MadeBy, PHONE_SESSION_MS } from '../../domain/phone-session.ts';
import type { User } from '../../domain/user.ts';
import { PAGE_RETURNS_MS, PhoneSessions } from '../calls/phone-sessions.ts';
import type { Access } from './auth.ts';
import {
  isOwnOrigin,
  SIP_WEBSOCKET_LIMITS,
  type SipWebSocketLimits,
  SipWebSockets,
} from './sip-websocket.ts';
import { clientAddressOf, serveUpgrades } from './upgrades.ts';

const ORIGIN = 'https://www.example.com';
const GUEST = { kind: 'guest', to: '100', dial: '100', name: '', page: '' } as const;
const AGENT = { kind: 'agent', eid: '7', caller: '1001' } as const;
const TOKEN: MadeBy = { kind: 'token', id: 'token' };
const BUTTON: MadeBy = { kind: 'button', key: 'button-key', origin: ORIGIN };
const OTHER_ORIGIN = 'https://shop.example.com';
const servers: Server[] = [];
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const server of servers.splice(0)) server.close();
});

/** As a telephone side that is told everything and says nothing by itself. */
class RecordingLink implements WebPhoneLink {
  readonly opens: { id: number; ends: WebPhoneEnds; phone: WebPhone }[] = [];
  readonly messages: string[] = [];
  readonly closes: number[] = [];
  /** Those of `closes` whose session is over. */
  readonly over: number[] = [];
  user: WebPhoneUser | null = null;
  hasRoom = true;
  opened(id: number, ends: WebPhoneEnds, phone: WebPhone): boolean {
    if (this.hasRoom) this.opens.push({ id, ends, phone });
    return this.hasRoom;
  }
  received(_: number, bytes: Uint8Array): boolean {
    if (this.hasRoom) this.messages.push(Buffer.from(bytes).toString());
    return this.hasRoom;
  }
  closed(id: number, isOver: boolean): void {
    this.closes.push(id);
    if (isOver) this.over.push(id);
  }
  deliverTo(user: WebPhoneUser): void {
    this.user = user;
  }
}

async function bed(limits: Partial<SipWebSocketLimits> = {}, proxies: readonly string[] = []) {
  const buttons = [{ key: 'button-key', name: '', to: '100', origins: [ORIGIN, OTHER_ORIGIN] }];
  const state = { isSignedIn: true, user: null as User | null, buttons };
  const account = () => ({
    id: 'a',
    name: 'a',
    settings: { ...DEFAULT_SETTINGS, call_buttons: state.buttons },
  });
  const access = {
    refresh: async () => undefined,
    byId: (id: string) =>
      state.isSignedIn && id === 'token' ? { account: account(), token: { id }, user: state.user } : null,
    accountNow: (id: string) => (id === 'a' ? account() : null),
  } as unknown as Access;
  const sealer = {
    seal: (text: string) => Buffer.from(text).toString('base64url'),
    open: (text: string) => Buffer.from(text, 'base64url').toString() || null,
  };
  const sessions = new PhoneSessions(sealer, access);
  const link = new RecordingLink();
  const lifecycle = {
    state: 'running' as 'starting' | 'running' | 'draining',
    endless: new Set<() => void>(),
  };
  const addressOf = clientAddressOf(proxies);
  const webSockets = new SipWebSockets({ sessions, link, lifecycle, addressOf, publicUrl: null, limits });
  const server = createServer((_, response) => response.end('plain'));
  servers.push(server);
  serveUpgrades(server, webSockets, (error) => {
    throw error;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made = (grant: typeof GUEST | typeof AGENT = GUEST, by: MadeBy = TOKEN, nowMs = Date.now()) =>
    sessions.make('a', by, grant, nowMs);
  const connect = (sealed: string, headers: Record<string, string> = {}): Promise<WebSocket | number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/sip?session=${sealed}`, 'sip', { headers });
      sockets.push(socket);
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.on('error', (error) => (socket.readyState === socket.CLOSING ? undefined : reject(error)));
    });
  return { state, sessions, link, lifecycle, webSockets, made, connect, port };
}

const closeOf = (socket: WebSocket | number): Promise<number> =>
  new Promise((resolve) => (typeof socket === 'number' ? resolve(socket) : socket.once('close', resolve)));

describe('who may connect', () => {
  test('a session gets its WebSocket, and the telephone side who it is', async () => {
    const { link, made, connect } = await bed();
    const { session, sealed } = made(AGENT);
    expect(await connect(sealed)).toBeInstanceOf(WebSocket);
    expect(link.opens[0]?.phone).toMatchObject({
      user: session.user,
      peer: { kind: 'phone', id: expect.stringContaining('7') },
      caller: '1001',
    });
    expect(JSON.stringify(link.opens[0])).not.toContain(made().secret);
  });

  test('a session that is too old, whose sign-in is over, or that was ended gets none', async () => {
    const { state, sessions, made, connect } = await bed();
    expect(await connect(made(GUEST, TOKEN, Date.now() - PHONE_SESSION_MS).sealed)).toBe(401);
    const ended = made();
    expect(sessions.end('b', ended.session.id, Date.now())).toBe(false);
    expect(sessions.end('a', ended.session.id, Date.now())).toBe(true);
    expect(await connect(ended.sealed)).toBe(401);
    const { sealed } = made();
    state.isSignedIn = false;
    expect(await connect(sealed)).toBe(401);
  });

  test('a page whose network changed comes back with a session that is too old for others, within a minute', async () => {
    const { sessions, made, connect } = await bed();
    const { session, sealed } = made(AGENT, TOKEN, Date.now() - PHONE_SESSION_MS + 10_000);
    const opensIn = (ms: number) => sessions.open(sealed, Date.now() + ms)?.id ?? null;
    expect(opensIn(11_000)).toBeNull();
    const socket = (await connect(sealed)) as WebSocket;
    expect(opensIn(3_600_000)).toBe(session.id);
    socket.terminate();
    await expect.poll(() => sessions.listOf('a', Date.now())[0]?.connections).toBe(0);
    expect(opensIn(PAGE_RETURNS_MS - 5_000)).toBe(session.id);
    expect(opensIn(PAGE_RETURNS_MS)).toBeNull();
    sessions.end('a', session.id, Date.now());
    expect(opensIn(0)).toBeNull();
  });

  test('a session of a user who is another agent now, or has another role, holds no longer', async () => {
    const { state, sessions, made } = await bed();
    const { session } = made(AGENT);
    const holds = (role: string, agent: string | null): boolean => {
      state.user = { role, agent } as User;
      return sessions.holdsNow(session, Date.now());
    };
    expect(holds('agent', '7')).toBe(true);
    expect(holds('agent', '8')).toBe(false);
    expect(holds('viewer', null)).toBe(false);
    expect(holds('supervisor', null)).toBe(true);
    expect(sessions.holdsNow(made(GUEST).session, Date.now() + GUEST_MS)).toBe(false);
  });

  test('a page of another origin connects with a session of its button alone', async () => {
    const { made, connect, port } = await bed();
    expect(await connect(made().sealed, { origin: ORIGIN })).toBe(403);
    const byButton = (): string => made(GUEST, BUTTON).sealed;
    expect(await connect(byButton(), { origin: ORIGIN })).toBeInstanceOf(WebSocket);
    expect(await connect(byButton(), { origin: OTHER_ORIGIN })).toBe(403);
    expect(await connect(byButton(), { origin: 'https://other.example' })).toBe(403);
    expect(await connect(byButton(), { origin: `http://127.0.0.1:${port}` })).toBeInstanceOf(WebSocket);
  });

  test('nobody while the service starts; while it drains, a page may come back for its call', async () => {
    const { lifecycle, made, connect } = await bed();
    lifecycle.state = 'starting';
    expect(await connect(made().sealed)).toBe(503);
    lifecycle.state = 'draining';
    expect(await connect(made().sealed)).toBeInstanceOf(WebSocket);
  });
});

test.each([
  ['http://pbx.example', 'pbx.example', null, true],
  ['https://pbx.example', 'pbx.example', null, true],
  ['https://pbx.example', '127.0.0.1:3000', 'https://pbx.example/', true],
  ['https://pbx.example:8443', 'pbx.example', null, false],
  ['https://evil.example', 'pbx.example', 'https://pbx.example', false],
  ['null', 'pbx.example', 'https://pbx.example', false],
])('the origin %s is ours at %s with PUBLIC_URL %s: %s', (origin, host, publicUrl, isOwn) => {
  expect(isOwnOrigin(origin, host, publicUrl)).toBe(isOwn);
});

describe('limits', () => {
  test('a thousand connections are open at once, and the next is refused until one ends', async () => {
    const many = { perAddress: 5_000, perAccount: 5_000, perSession: 5_000, connectsPerSecond: 0 };
    const { webSockets, link, made, connect } = await bed(many);
    const { sealed } = made();
    for (let opened = 0; opened < SIP_WEBSOCKET_LIMITS.connections; opened += 100)
      await Promise.all(Array.from({ length: 100 }, () => connect(sealed)));
    expect(webSockets.count).toBe(1_000);
    expect(await connect(sealed)).toBe(429);
    sockets[0]?.terminate();
    await expect.poll(() => link.closes).toHaveLength(1);
    expect(await connect(sealed)).toBeInstanceOf(WebSocket);
  });

  test.each([
    ['an account', { perAccount: 2 }, false],
    ['an address', { perAddress: 2 }, false],
    ['a session', { perSession: 2 }, true],
  ])('%s has so many, also when they come at once', async (_, limits, isSame) => {
    const { made, connect } = await bed(limits);
    const one = made();
    const all = await Promise.all([1, 2, 3, 4].map(() => connect(isSame ? one.sealed : made().sealed)));
    expect(all.filter((each) => each === 429)).toHaveLength(2);
  });

  test.each([
    ['in all', { visitors: 2 }],
    ['of an account', { visitorsPerAccount: 2 }],
    ['of an address', { visitorsPerAddress: 2 }],
  ])('visitors by call buttons have a part of the connections %s, and agents the rest', async (_, limits) => {
    const { made, connect } = await bed({ ...limits, connections: 3, perAccount: 3, perAddress: 3 });
    const all = await Promise.all([1, 2, 3].map(() => connect(made(GUEST, BUTTON).sealed)));
    expect(all.filter((each) => each === 429)).toHaveLength(1);
    expect(await connect(made(AGENT).sealed)).toBeInstanceOf(WebSocket);
    expect(await connect(made(AGENT).sealed)).toBe(429);
  });

  test('attempts of one address are limited before its session is read, and those of others are not', async () => {
    const { sessions, made, connect } = await bed({ connectsPerSecond: 1, connectBurstSeconds: 2 }, [
      '127.0.0.1',
    ]);
    let opened = 0;
    const { open } = sessions;
    sessions.open = (...asked) => {
      opened += 1;
      return open.apply(sessions, asked);
    };
    const from = (address: string) => connect('', { 'x-forwarded-for': address });
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push(await from(`2001:db8::${at}`));
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(opened).toBe(2);
    expect(await connect(made().sealed, { 'x-forwarded-for': '198.51.100.7' })).toBeInstanceOf(WebSocket);
  });

  test('a telephone side that is behind is handed no connection, and the place is free again', async () => {
    const { link, made, connect, webSockets } = await bed({ connections: 1 });
    link.hasRoom = false;
    expect(await closeOf(await connect(made().sealed))).toBe(1013);
    expect([webSockets.count, link.closes]).toEqual([0, []]);
    link.hasRoom = true;
    expect(await connect(made().sealed)).toBeInstanceOf(WebSocket);
  });

  test('a refused connection leaves no place taken', async () => {
    const { state, made, connect } = await bed({ connections: 1, perAddress: 1 });
    state.isSignedIn = false;
    for (let at = 0; at < 3; at++) expect(await connect(made().sealed)).toBe(401);
    state.isSignedIn = true;
    expect(await connect(made().sealed)).toBeInstanceOf(WebSocket);
  });

  test('a browser that does not read is closed when too much waits for it', async () => {
    const { link, made, connect, webSockets } = await bed({ unsentBytes: 100_000 });
    const socket = (await connect(made().sealed)) as WebSocket;
    socket.pause();
    const { id } = link.opens[0] ?? { id: 0 };
    for (let at = 0; at < 2_000 && webSockets.count > 0; at++) {
      link.user?.send(id, new Uint8Array(60_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(webSockets.count).toBe(0);
  });

  test('one that does not answer pings is closed', async () => {
    const { made, connect, webSockets } = await bed({ pingMs: 50 });
    const silent = (await connect(made().sealed)) as WebSocket;
    const lively = (await connect(made().sealed)) as WebSocket;
    silent.pause();
    await expect.poll(() => webSockets.count).toBe(1);
    expect(lively.readyState).toBe(lively.OPEN);
  });

  test.each(['ping', 'pong'] as const)('%ss are counted like messages: more of them close', async (frame) => {
    const { made, connect, webSockets } = await bed();
    const socket = (await connect(made().sealed)) as WebSocket;
    socket[frame]('still there');
    if (frame === 'ping') await new Promise((resolve) => socket.once('pong', resolve));
    expect(webSockets.count).toBe(1);
    for (let at = 0; at <= SIP_WEBSOCKET_LIMITS.burst; at++) socket[frame]('x'.repeat(125));
    expect(await closeOf(socket)).toBe(1008);
  });

  test('one that pings and does not read is closed when too many answers wait for it', async () => {
    const limits = { messagesPerSecond: 1e6, burst: 1e6, unsentBytes: 10_000 };
    const { made, connect, webSockets } = await bed(limits);
    const socket = (await connect(made().sealed)) as WebSocket;
    socket.pause();
    for (let sent = 0; sent < 400 && webSockets.count > 0; sent++) {
      for (let at = 0; at < 1_000; at++) socket.ping('x'.repeat(125));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(webSockets.count).toBe(0);
  });

  test('a telephone side that is behind closes the WebSocket whose message it cannot take', async () => {
    const { link, made, connect } = await bed();
    const socket = (await connect(made().sealed)) as WebSocket;
    socket.send('first');
    await expect.poll(() => link.messages).toEqual(['first']);
    link.hasRoom = false;
    socket.send('second');
    expect(await closeOf(socket)).toBe(1013);
    expect([link.closes, link.over]).toEqual([[1], []]);
  });

  test('one that is closed is gone for the telephone side at once, whether the browser answers or not', async () => {
    const { link, sessions, made, connect, webSockets } = await bed();
    const { session, sealed } = made();
    const socket = (await connect(sealed)) as WebSocket;
    socket.pause();
    sessions.end('a', session.id, Date.now());
    expect([link.closes, link.over]).toEqual([[1], [1]]);
    expect(webSockets.count).toBe(0);
    socket.resume();
    expect(await closeOf(socket)).toBe(1008);
  });

  test('the end of the sign-in closes what is open', async () => {
    const { state, link, made, connect } = await bed({ checkMs: 30 });
    const lost = (await connect(made().sealed)) as WebSocket;
    lost.terminate();
    await expect.poll(() => link.closes).toEqual([1]);
    const socket = await connect(made().sealed);
    const button = await connect(made(GUEST, BUTTON).sealed);
    state.isSignedIn = false;
    expect(await closeOf(socket)).toBe(1008);
    state.buttons = [];
    expect(await closeOf(button)).toBe(1008);
    // A lost connection is waited for; a session that is over takes its calls with it.
    expect(link.over).toEqual([2, 3]);
  });

  test('docs/limits.md has them', () => {
    const text = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8');
    const { connections, perAccount, perAddress, perSession, messageBytes } = SIP_WEBSOCKET_LIMITS;
    expect(text).toContain(
      `${connections.toLocaleString('en')}, of these ${perAccount} of one account, ${perAddress} of one IPv4 address or IPv6 /64, ${perSession} of one phone session`,
    );
    const { visitors, visitorsPerAccount, visitorsPerAddress } = SIP_WEBSOCKET_LIMITS;
    expect(text).toContain(
      `${visitors}, of these ${visitorsPerAccount} of one account, ${visitorsPerAddress} of one IPv4 address or IPv6 /64`,
    );
    const { connectsPerSecond, connectBurstSeconds } = SIP_WEBSOCKET_LIMITS;
    expect(text).toContain(
      `${connectsPerSecond} a second, ${connectsPerSecond * connectBurstSeconds} at once`,
    );
    expect(text).toContain(`| a message by WebSocket | ${messageBytes / 1024} KiB |`);
    const { messagesPerSecond, burst, pingMs } = SIP_WEBSOCKET_LIMITS;
    expect(text).toContain(`${messagesPerSecond} a second, ${burst} at once`);
    expect(text).toContain(`${pingMs / 1000} to ${pingMs / 500} s`);
  });
});

describe('the address of the browser', () => {
  const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
    ({ socket: { remoteAddress }, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }) as never;

  test('is what a trusted proxy says, and what anybody else says counts for nothing', () => {
    const addressOf = clientAddressOf(['127.0.0.1', '10.0.0.0/8']);
    expect(addressOf(from('203.0.113.5', '1.1.1.1'))).toBe('203.0.113.5');
    expect(addressOf(from('127.0.0.1', '1.1.1.1'))).toBe('1.1.1.1');
    expect(addressOf(from('::ffff:127.0.0.1', '9.9.9.9, 1.1.1.1, 10.2.3.4'))).toBe('1.1.1.1');
    expect(addressOf(from('127.0.0.1'))).toBe('127.0.0.1');
  });

  test('is given to the telephone side', async () => {
    const { link, made, connect } = await bed({}, ['127.0.0.1']);
    await connect(made().sealed, { 'x-forwarded-for': '198.51.100.7' });
    expect(link.opens[0]?.ends.remote.address).toBe('198.51.100.7');
  });
});

describe('requests for another protocol elsewhere', () => {
  test('are answered as if they had not asked', async () => {
    const { port } = await bed();
    const { request } = await import('node:http');
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'h2c' };
      request({ port, path: '/', headers }, (response) => {
        response.on('data', (bytes) => resolve(String(bytes)));
      })
        .on('error', reject)
        .end();
    });
    expect(body).toBe('plain');
  });
});
