import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FlowRequest } from '../calls/requests/flow-requests.ts';
import { parseNetwork } from '../safe-fetch/network.ts';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import { makeFlowRequests } from './open-flow-requests.ts';

let server: Server;
let url: string;
let connections = 0;
const held: (() => void)[] = [];
const asked: string[] = [];
const sealer = { seal: (text: string) => text, open: (text: string) => (text === 'other key' ? null : text) };
const clock = { epochMs: () => 1_800_000_000_000 };
const safeFetch = makeSafeFetch({ allow: [parseNetwork('127.0.0.0/8')].filter((each) => each !== null) });
const never = new AbortController().signal;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/held') held.push(() => response.end('{}'));
    else if (request.url === '/500') response.writeHead(500).end('{"choice":"yes"}');
    else if (request.url === '/302') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/huge') response.end(JSON.stringify({ padding: 'x'.repeat(70_000) }));
    else if (request.url === '/malformed') response.end('{"choice":');
    else if (request.url === '/bytes') response.end(Buffer.from([0xff, 0xfe]));
    else if (request.url === '/broken') response.destroy();
    else response.end('{"choice":"yes","a":{"b":[7]}}');
    asked.push(request.url ?? '');
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  safeFetch.close();
  server.closeAllConnections();
  server.close();
});

const request = (path: string, more: Partial<FlowRequest> = {}): FlowRequest => ({
  accountId: 'a',
  callId: 'c',
  id: 'r',
  method: 'POST',
  url: `${url}${path}`,
  body: '{}',
  timeoutMs: 2_000,
  save: [{ variable: 'x', pointer: '/a/b/0' }],
  sealedSecret: null,
  ...more,
});
const requests = (shares = { total: 10, perAccount: 5 }) =>
  makeFlowRequests({ fetchSafely: safeFetch.fetchSafely, sealer, clock, shares });

it('keeps what the pointers name, over connections that are kept', async () => {
  const before = connections;
  for (let count = 0; count < 5; count += 1)
    expect(await requests().send(request('/'), never)).toEqual({
      ok: true,
      choice: 'yes',
      values: { x: '7' },
    });
  expect(connections - before).toBe(1);
});

it.each([
  ['/500', { failure: 'status', detail: 'status 500' }],
  ['/302', { failure: 'status', detail: 'status 302' }],
  ['/huge', { failure: 'too-large' }],
  ['/malformed', { failure: 'malformed' }],
  ['/bytes', { failure: 'malformed', detail: 'the answer is not UTF-8' }],
  ['/broken', { failure: 'unreachable' }],
  ['/held', { failure: 'timeout' }],
])('%s is a failure, after one request', async (path, failure) => {
  const before = asked.length;
  const outcome = await requests().send(request(path, { timeoutMs: path === '/held' ? 100 : 2_000 }), never);
  expect(outcome).toMatchObject({ ok: false, ...failure });
  expect(asked.slice(before)).toEqual([path]);
  held.length = 0;
});

it('cannot reach a server that is away', async () => {
  const outcome = await requests().send(request('', { url: 'http://127.0.0.1:1/' }), never);
  expect(outcome).toMatchObject({ ok: false, failure: 'unreachable' });
});

it('leaves each account its share: a system that hangs fails further requests of its account at once', async () => {
  const all = requests({ total: 4, perAccount: 2 });
  const waiting = [all.send(request('/held'), never), all.send(request('/held'), never)];
  expect(await all.send(request('/'), never)).toMatchObject({ ok: false, failure: 'busy' });
  expect(await all.send(request('/', { accountId: 'b' }), never)).toMatchObject({ ok: true });
  await expect.poll(() => held.length).toBe(2);
  for (const answer of held.splice(0)) answer();
  await Promise.all(waiting);
  expect(await all.send(request('/'), never)).toMatchObject({ ok: true });
});

it('sends nothing unsigned whose secret cannot be opened, and gives up when the caller has left', async () => {
  const sealed = request('/', { sealedSecret: 'other key' });
  expect(await requests().send(sealed, never)).toMatchObject({ ok: false, failure: 'refused' });
  const stop = new AbortController();
  const asked = requests().send(request('/held'), stop.signal);
  stop.abort();
  expect(await asked).toMatchObject({ ok: false, failure: 'unreachable' });
});

it('asks by plain http only where the operator allows the network', async () => {
  const open = makeSafeFetch({ allow: [], lookup: async () => ['93.184.215.14'] });
  const plain = makeFlowRequests({ fetchSafely: open.fetchSafely, sealer, clock });
  const outcome = await plain.send(request('', { url: 'http://shop.example.com/' }), never);
  expect(outcome).toMatchObject({ ok: false, failure: 'refused' });
  open.close();
});
