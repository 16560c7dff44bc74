import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Lifecycle, StreamedBody } from './handler.ts';
import { sendStreamed } from './streaming.ts';

let held = 0;
/** Whether there is memory for what waits. */
let room = true;
const hold = (piece: Buffer | string): (() => void) | null => {
  if (!room) return null;
  held += piece.length;
  return () => {
    held -= piece.length;
  };
};

const servers: Server[] = [];
afterEach(() => {
  room = true;
  for (const server of servers.splice(0)) server.close();
});

async function serving(body: StreamedBody, lifecycle: Lifecycle = { state: 'running', endless: new Set() }) {
  const settled: (unknown | null)[] = [];
  const server = createServer((request, raw) => {
    sendStreamed(
      raw,
      { status: 200, headers: {}, body, headOnly: request.method === 'HEAD', hold },
      lifecycle,
    ).then(
      () => settled.push(null),
      (error: unknown) => settled.push(error),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (method = 'GET'): Promise<IncomingMessage> =>
    new Promise((resolve) => get({ host: '127.0.0.1', port, agent: false, method }, resolve));
  return { ask, settled, port };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer) text += String(piece);
  return text;
}

const until = async (isTrue: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !isTrue(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isTrue()).toBe(true);
};

describe('an answer that is sent piece by piece', () => {
  it('arrives whole', async () => {
    const { ask } = await serving({
      async *pieces() {
        yield 'one ';
        yield Buffer.from('two');
      },
    });
    expect(await textOf(await ask())).toBe('one two');
  });

  it('is read from its source no faster than the client reads', async () => {
    let made = 0;
    const { ask } = await serving({
      async *pieces() {
        for (; made < 1000; made++) yield Buffer.alloc(64 * 1024);
      },
    });
    const answer = await ask();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(made).toBeLessThan(500);
    answer.destroy();
  });

  it('T37: counts what waits for its client, and breaks off where there is no memory for it', async () => {
    const { ask, settled } = await serving({
      async *pieces() {
        for (let count = 0; count < 1000; count++) yield Buffer.alloc(64 * 1024);
      },
    });
    const answer = await ask();
    await until(() => held === 64 * 1024);
    answer.destroy();
    await until(() => held === 0 && settled.length === 1);
    room = false;
    await expect(textOf(await ask())).rejects.toThrow('aborted');
    await until(() => settled.length === 2);
    expect([held, settled]).toEqual([0, [null, null]]);
  });

  it('stops its source when the client goes away', async () => {
    let stopped = false;
    const { ask, settled } = await serving({
      async *pieces(signal) {
        yield 'hello';
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        stopped = true;
      },
    });
    (await ask()).destroy();
    await until(() => stopped && settled.length === 1);
  });

  it('reports its end, also to HEAD', async () => {
    let over = 0;
    const { ask } = await serving({
      async *pieces() {
        yield 'hello';
      },
      over: () => {
        over += 1;
      },
    });
    (await ask('HEAD')).resume();
    await until(() => over === 1);
    expect(await textOf(await ask())).toBe('hello');
    await until(() => over === 2);
  });

  it('ends when the client goes away before its turn in a pipeline has come', async () => {
    let stopped = 0;
    const { port } = await serving({
      endless: true,
      async *pieces(signal) {
        yield 'hello';
        if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      over: () => {
        stopped += 1;
      },
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await until(() => stopped === 2);
  });

  it('is not waited for by a client that was gone before it began', async () => {
    const settled: (unknown | null)[] = [];
    const server = createServer((_request, raw) => {
      raw.once('close', () => {
        const body: StreamedBody = {
          async *pieces() {
            yield 'too late';
          },
        };
        const lifecycle: Lifecycle = { state: 'running', endless: new Set() };
        sendStreamed(raw, { status: 200, headers: {}, body, headOnly: false, hold }, lifecycle).then(
          () => settled.push(null),
          (error: unknown) => settled.push(error),
        );
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => setTimeout(() => socket.destroy(), 50));
    await until(() => settled.length === 1);
    expect(settled).toEqual([null]);
  });

  it('is destroyed when its source fails, so that a part is not taken for the whole', async () => {
    const { ask, settled } = await serving({
      async *pieces() {
        yield 'half';
        throw new Error('the disk is gone');
      },
    });
    await expect(textOf(await ask())).rejects.toThrow('aborted');
    await until(() => settled.length === 1);
    expect(settled[0]).toMatchObject({ message: 'the disk is gone' });
  });

  it('without an end ends when the service does', async () => {
    const lifecycle: Lifecycle = { state: 'running', endless: new Set() };
    const { ask } = await serving(
      {
        endless: true,
        async *pieces(signal) {
          yield 'event';
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        },
      },
      lifecycle,
    );
    const answer = await ask();
    for (const end of lifecycle.endless) end();
    expect(await textOf(answer)).toBe('event');
    await until(() => lifecycle.endless.size === 0);
  });
});
