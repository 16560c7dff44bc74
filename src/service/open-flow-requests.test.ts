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
const sealer = { seal: (text: string) => text, open: (text: string) => (text === 'other key' ? null : text) };
const clock = { epochMs: () => 1_800_000_000_000 };
const safeFetch = makeSafeFetch({ allow: [parseNetwork('127.0.0.0/8')].filter((each) => each !== null) });
const never = new AbortController().signal;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/held') held.push(() => response.end('{}'));
    else response.end('{"a":{"b":[7]}}');
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
      choice: null,
      values: { x: '7' },
    });
  expect(connections - before).toBe(1);
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
