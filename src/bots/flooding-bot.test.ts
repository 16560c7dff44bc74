// Bots that flood with what is no message of the protocol, or do not read: each ends alone, at once.
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { BotThread } from './bot-thread.ts';
import { type BotServer, openBot, openStream, openThread } from './testing/bot-bed.ts';

const LATE = { timeout: 60_000 };
/** RFC 6455 §5.2: a ping, and an empty fragment within a message. */
const PING = Buffer.from([0x89, 0]);
const EMPTY_FRAGMENT = Buffer.from([0, 0]);
let thread: BotThread;
const bots: BotServer[] = [];

beforeAll(() => {
  thread = openThread();
});
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.close()));
});
afterAll(() => thread.close());

async function bot(connected: (socket: WebSocket, connection: Socket) => void): Promise<string> {
  const made = await openBot((socket) => connected(socket, Reflect.get(socket, '_socket')));
  bots.push(made);
  return made.url;
}

/** Writes as fast as the other side reads, and reads nothing itself. */
function flood(socket: WebSocket, connection: Socket, bytes: Buffer): void {
  socket.pause();
  const write = (): void => {
    if (connection.destroyed) return;
    connection.write(bytes, () => setImmediate(write));
  };
  write();
}

it('a flood of pings that are never read ends the stream, and streams beside it go on', LATE, async () => {
  let frames = 0;
  const honest = openStream(thread, await bot((socket) => socket.on('message', () => frames++)), {
    accountId: 'other',
  });
  await honest.opened;
  const speaking = setInterval(() => honest.caller.write(new Uint8Array(160)), 20);
  const pings = Buffer.concat(Array(30_000).fill(PING));
  const hostile = openStream(thread, await bot((socket, connection) => flood(socket, connection, pings)));
  expect(await hostile.ended).toEqual({ ok: false, failure: 'flooding', detail: 'too many messages' });
  const before = frames;
  await expect.poll(() => frames).toBeGreaterThan(before + 20);
  clearInterval(speaking);
  honest.close();
});

it('a flood of pongs that nobody asked for ends the stream', LATE, async () => {
  const pongs = Buffer.concat(Array(30_000).fill(Buffer.from([0x8a, 0])));
  const stream = openStream(thread, await bot((socket, connection) => flood(socket, connection, pongs)));
  expect(await stream.ended).toMatchObject({ ok: false, failure: 'flooding' });
});

it('a message in a thousand empty fragments ends the stream', LATE, async () => {
  const stream = openStream(
    thread,
    await bot((_socket, connection) => {
      const text = Buffer.from('{"event":"later"}');
      connection.write(Buffer.concat([Buffer.from([1, text.length]), text]));
      connection.write(Buffer.concat(Array(1_000).fill(EMPTY_FRAGMENT)));
      connection.write(Buffer.from([0x80, 0]));
      setTimeout(() => connection.end(Buffer.from([0x88, 0])), 500);
    }),
  );
  expect(await stream.ended).toMatchObject({ ok: false, failure: 'flooding' });
});

it('pings are answered with what they said, of several at once the last', LATE, async () => {
  const answered: string[] = [];
  const stream = openStream(
    thread,
    await bot((socket) => {
      socket.on('pong', (data) => answered.push(String(data)));
      for (let count = 0; count < 100; count++) socket.ping(`ping ${count}`);
    }),
  );
  await expect.poll(() => answered.at(-1)).toBe('ping 99');
  expect(answered.length).toBeLessThan(50);
  stream.close();
});

it(
  'variables are reported when they change, and those that stay as they were do not count',
  LATE,
  async () => {
    const variables = (values: object): string => JSON.stringify({ event: 'variables', variables: values });
    const stream = openStream(
      thread,
      await bot((socket) => {
        for (let count = 0; count < 200; count++) socket.send(variables({ order: '7' }));
        socket.send(variables({ order: '7', state: 'open' }));
        socket.send(variables({ order: '8', state: 'open' }));
        socket.close(1000);
      }),
    );
    expect(await stream.ended).toEqual({ ok: true });
    expect(stream.variables).toEqual([{ order: '7' }, { state: 'open' }, { order: '8' }]);
  },
);

it('variables that change all the time end the stream', LATE, async () => {
  const stream = openStream(
    thread,
    await bot((socket) => {
      for (let order = 0; order < 40; order++)
        socket.send(JSON.stringify({ event: 'variables', variables: { order } }));
    }),
  );
  const detail = 'too many transfers or variables';
  expect(await stream.ended).toEqual({ ok: false, failure: 'flooding', detail });
  expect(stream.variables.length).toBeLessThan(25);
});

it('a bot that does not read and has marks sent back ends as soon as too much waits', LATE, async () => {
  let say = (): void => undefined;
  const stream = openStream(
    thread,
    await bot((socket) => {
      socket.pause();
      say = () => {
        for (let count = 0; count < 900; count++)
          socket.send(JSON.stringify({ event: 'mark', mark: { name: 'm'.repeat(256) } }));
      };
    }),
  );
  await stream.opened;
  // As fast as the thread takes them, until nothing more fits into the connection.
  const writing = setInterval(() => {
    for (let count = 0; count < 64; count++) stream.caller.write(new Uint8Array(160));
  }, 1);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  // Not for the 10 s that audio alone may wait: there is no more of it, and with audio alone are they looked at.
  clearInterval(writing);
  say();
  const detail = 'the bot does not read';
  expect(await stream.ended).toEqual({ ok: false, failure: 'broken', detail });
});
