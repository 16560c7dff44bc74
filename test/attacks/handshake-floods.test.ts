// Threat T67: floods of WebSocket handshakes at the running service, whole ones and ones that never end. Strangers have 127.0.0.2, pages
// 127.0.0.1.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call } from '../support/service.ts';

/** More than twice the 200 at once and 10 a second of one address would need minutes. */
const HANDSHAKES = 2_000;
const AT_ONCE = 100;
const UNFINISHED = 500;
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

let service: Pbx;
let agent = '';
const sockets = new Set<Socket>();
beforeAll(async () => {
  service = await startPbx({});
  const made = await call(service.url, 'POST', '/v1/agent', { body: { name: 'Ann', intercom: '1001' } });
  expect(made.status, made.text).toBe(201);
  agent = made.json.eid;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service?.remove();
});

async function open(localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  return socket;
}

const handshake = (session: string, more = ''): string =>
  [
    `GET /sip?session=${session} HTTP/1.1`,
    `Host: ${new URL(service.url).host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${KEY}`,
    'Sec-WebSocket-Protocol: sip',
    `${more}\r\n`,
  ].join('\r\n');

/** The status of the answer, from a connection of its own; 0: it was closed without one. */
async function statusOf(text: string, localAddress: string): Promise<number> {
  const socket = await open(localAddress);
  const status = await new Promise<number>((resolve) => {
    socket.once('data', (bytes) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(bytes))?.[1] ?? 0)));
    socket.once('close', () => resolve(0));
    socket.write(text);
  });
  socket.destroy();
  sockets.delete(socket);
  return status;
}

async function pageConnects(): Promise<number> {
  const { json, text } = await call(service.url, 'POST', '/v1/phone_session', { body: { agent } });
  const [path = '', session = ''] = String(json.path).split('?session=');
  expect(path, text).toBe('/sip');
  return statusOf(handshake(session), '127.0.0.1');
}

it(`T67: of ${HANDSHAKES} handshakes of one stranger those beyond its share are refused; a page connects meanwhile`, async () => {
  expect(await pageConnects()).toBe(101);
  const statuses: number[] = [];
  const forms = [
    handshake('nonsense'),
    handshake('x'.repeat(4_000)),
    handshake('y').replace('Version: 13', 'Version: 7'),
    handshake('y').replace(KEY, 'short'),
    handshake('y', 'Origin: https://evil.example\r\n'),
  ];
  const attack = async (): Promise<void> => {
    for (let at = 0; at < HANDSHAKES / AT_ONCE; at++)
      statuses.push(await statusOf(forms[at % forms.length] ?? '', '127.0.0.2'));
  };
  const attacks = Array.from({ length: AT_ONCE }, attack);
  expect(await pageConnects()).toBe(101);
  await Promise.all(attacks);
  expect(statuses).toHaveLength(HANDSHAKES);
  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(await pageConnects()).toBe(101);
});

it(`T67: ${UNFINISHED} handshakes that never end keep no page out`, async () => {
  const half = handshake('nonsense').slice(0, -2);
  await Promise.all(Array.from({ length: UNFINISHED }, async () => (await open('127.0.0.2')).write(half)));
  expect(await pageConnects()).toBe(101);
  expect((await call(service.url, 'GET', '/readyz')).status).toBe(200);
  expect(service.log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
});
