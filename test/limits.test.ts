// Limits of connections, and what happens to several requests on one of them.
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { call, type Service, startService, TOKEN } from './support/service.ts';

async function withService<T>(
  env: Record<string, string>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ env });
  try {
    return await work(service);
  } finally {
    await service.remove();
  }
}

const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

const everything = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += String(bytes);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });

const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;

describe('connections', () => {
  it('beyond MAX_CONNECTIONS are closed at once, and there is room again when one ends', async () => {
    await withService({ MAX_CONNECTIONS: '3' }, async ({ url }) => {
      const sockets = [await open(url), await open(url), await open(url)];
      expect(await everything(await open(url))).toBe('');
      for (const socket of sockets) socket.destroy();
      for (let attempt = 0; attempt < 50; attempt++) {
        const reply = await call(url, 'GET', '/healthz').catch(() => null);
        if (reply) return expect(reply.status).toBe(200);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error('There is no room again.');
    });
  });

  it('a pending response is not replaced by a 400 for garbage that follows its request', async () => {
    await withService({}, async ({ url }) => {
      const socket = await open(url);
      const body = '{"name":"first"}';
      const answers = everything(socket);
      socket.write(
        `POST /v1/team HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`,
      );
      const text = await answers;
      // Carried out and answered, or neither: never a failure for what was carried out.
      expect(text).toMatch(/^(HTTP\/1\.1 201 Created\r\n.*)?$/s);
      const { json } = await call(url, 'GET', '/v1/teams');
      expect(json.data).toHaveLength(text === '' ? 0 : 1);
    });
  });

  it('requests whose client goes away are not counted as running, and do not hold up the end', async () => {
    await withService({ DRAIN_SECONDS: '600' }, async (service) => {
      const one = `GET /v1/agents HTTP/1.1\r\n${HEAD}\r\n`;
      for (let index = 0; index < 10; index++) {
        const socket = await open(service.url);
        socket.on('error', () => undefined);
        socket.write(one.repeat(10), () => socket.destroy());
      }
      let text = '';
      for (let attempt = 0; attempt < 100 && !/requests_running 1$/m.test(text); attempt++) {
        text = (await call(service.url, 'GET', '/metrics')).text;
      }
      expect(text).toMatch(/^dialtree_http_requests_running 1$/m);
      // Held up, it would take longer than this test may.
      expect(await service.stop()).toBe(0);
    });
  });
});
