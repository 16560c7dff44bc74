import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../sip/testing/test-certificate.ts';
import type { BotThread } from './bot-thread.ts';
import { type BotServer, openBot, openStream, openThread } from './testing/bot-bed.ts';

const LATE = { timeout: 60_000 };
type BotSocket = Parameters<Parameters<typeof openBot>[0]>[0];
let thread: BotThread;
const bots: BotServer[] = [];
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(() => {
  thread = openThread();
});
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.close()));
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => thread.close());

async function bot(connected: Parameters<typeof openBot>[0]): Promise<string> {
  const made = await openBot(connected);
  bots.push(made);
  return made.url;
}

/** A server that is no WebSocket. */
async function plain(act: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    act(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const SECOND = { event: 'media', media: { payload: Buffer.alloc(8_000, 0xff).toString('base64') } };
const MARK = { event: 'mark', mark: { name: 'm' } };
function sends(socket: BotSocket, times: number, message: object, first?: object): void {
  if (first) socket.send(JSON.stringify(first));
  for (let count = 0; count < times; count += 1) socket.send(JSON.stringify(message));
}

describe('a bot that cannot be reached', () => {
  it.each([
    [
      'answers with a status',
      (socket: Socket) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'),
      { failure: 'status', detail: 'status 403' },
    ],
    [
      'redirects',
      (socket: Socket) => void socket.end('HTTP/1.1 302 Found\r\nlocation: ws://10.0.0.1/\r\n\r\n'),
      { failure: 'status', detail: 'status 302' },
    ],
    ['answers with something else', (socket: Socket) => void socket.end('hello'), { failure: 'unreachable' }],
    ['closes at once', (socket: Socket) => void socket.destroy(), { failure: 'unreachable' }],
  ])('ends the stream when it %s', LATE, async (_what, act, failure) => {
    const outcome = await openStream(thread, await plain(act)).ended;
    expect(outcome).toMatchObject({ ok: false, ...failure });
  });

  it('ends the stream when it never answers', LATE, async () => {
    const own = openThread({ limits: { connectMs: 200, unreadMs: 60_000 } });
    const outcome = await openStream(own, await plain(() => undefined)).ended;
    expect(outcome).toMatchObject({ ok: false, failure: 'timeout' });
    await own.close();
  });

  it.each([
    ['ws://10.0.0.1/', 'refused'],
    ['ws://[::1]:9/', 'refused'],
    ['ws://1.1.1.1/', 'refused'],
    ['ws://user:password@127.0.0.1/', 'refused'],
    ['ftp://127.0.0.1/', 'refused'],
    ['nonsense', 'refused'],
    ['ws://nobody.invalid/', 'unreachable'],
  ])('is not connected to at %s', LATE, async (url, failure) => {
    expect(await openStream(thread, url).ended).toMatchObject({ ok: false, failure });
  });
});

it.each([
  ['closes with an error', (socket: BotSocket) => socket.close(1011, 'sorry'), 'close code 1011'],
  ['breaks off', (socket: BotSocket) => socket.terminate(), '"broken"'],
  ['sends what is not JSON', (socket: BotSocket) => socket.send('{"event":'), 'it is not JSON'],
  ['sends what is not text', (socket: BotSocket) => socket.send(Buffer.alloc(160)), 'it is not text'],
  ['sends a huge message', (socket: BotSocket) => socket.send('x'.repeat(2_000_000)), '"too-large"'],
  ['speaks ahead for more than a minute', (socket: BotSocket) => sends(socket, 70, SECOND), 'more than 60 s'],
  ['sets marks without end', (socket: BotSocket) => sends(socket, 1_200, MARK, SECOND), 'too many marks'],
])('a bot that %s ends the stream, and the reason is known', LATE, async (_what, act, reason) => {
  const stream = openStream(thread, await bot((socket) => void act(socket)));
  await stream.opened;
  expect(JSON.stringify(await stream.ended)).toContain(reason);
});

it('a certificate that nobody vouches for is not accepted', LATE, async () => {
  const { key, certificate: cert } = testCertificate('127.0.0.1');
  const server = createSecureServer({ key, cert });
  let upgrades = 0;
  server.on('upgrade', () => upgrades++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `wss://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await openStream(thread, url).ended).toMatchObject({ ok: false, failure: 'unreachable' });
  expect(upgrades).toBe(0);
  server.close();
});

it('streams beyond the share of an account find no slot, and those of others do', LATE, async () => {
  const own = openThread({ shares: { total: 3, perAccount: 2 } });
  const url = await bot(() => undefined);
  const two = [openStream(own, url), openStream(own, url)];
  expect(await openStream(own, url).ended).toEqual({ ok: false, failure: 'busy', detail: '' });
  const other = openStream(own, url, { accountId: 'other' });
  await Promise.all([...two, other].map((stream) => stream.opened));
  for (const stream of [...two, other]) stream.close();
  expect(own.openStreams).toBe(0);
  await openStream(own, url).opened;
  await own.close();
});

it('a secret that cannot be opened refuses the stream', LATE, async () => {
  const own = openThread({ headersOf: () => null });
  expect(await openStream(own, 'ws://127.0.0.1:9/').ended).toMatchObject({ failure: 'refused' });
  expect(own.openStreams).toBe(0);
});

it('a bot that does not read loses frames, then its stream, and costs bounded memory', LATE, async () => {
  const own = openThread({ limits: { connectMs: 60_000, unreadMs: 500 } });
  const url = await bot((socket) => socket.pause());
  const stream = openStream(own, url);
  await stream.opened;
  const frame = new Uint8Array(160).fill(1);
  // As fast as the thread takes them: hours of audio in seconds.
  const writing = setInterval(() => {
    for (let count = 0; count < 64; count++) stream.caller.write(frame);
  }, 1);
  try {
    expect(await stream.ended).toMatchObject({ ok: false, failure: 'broken' });
  } finally {
    clearInterval(writing);
  }
  await own.close();
});

it('the thread that dies ends its streams, and the next stream starts another', LATE, async () => {
  const died: string[] = [];
  const own = openThread({ died: (reason) => died.push(reason) });
  const url = await bot(() => undefined);
  const stream = openStream(own, url);
  await stream.opened;
  own.kill();
  expect(await stream.ended).toMatchObject({ ok: false, failure: 'broken' });
  expect(died).toHaveLength(1);
  const again = openStream(own, url);
  await again.opened;
  again.close();
  await own.close();
});
