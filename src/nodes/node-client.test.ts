import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TelephonesUnavailable } from '../calls/control/call-control.ts';
import { MAX_ANSWER_BYTES, NodeClient } from './node-client.ts';
import type { Peer } from './peers.ts';
import { ANSWER_HEADER, NodeSignatures } from './signature.ts';

const KEY = new Uint8Array(32).fill(7);
const B = { id: 'b', run: 'run-1' };
const QUESTION = { op: 'callsOf', asked: { account: 'acme' } } as const;
const REAL = JSON.stringify({ result: { calls: [], unanswered: [] } });

/** What is at the address of the node: itself, or an attacker on the way, who has seen everything. */
type Answer = (sign: (body: string) => string) => { body: string; signature?: string; status?: number };
let answer: Answer;
let peer: Peer;
let client: NodeClient;
let refusals: object[];
/** Signatures of answers. */
const heard: string[] = [];
const signatures = new NodeSignatures(KEY, B);
const server = createServer((request, response) => {
  const checked = signatures.check(request.headers, Date.now());
  if (typeof checked === 'string') throw new Error(checked);
  request.resume().on('end', () => {
    const { body, signature, status = 200 } = answer((text) => checked.signAnswer(text));
    response.writeHead(status, signature === undefined ? {} : { [ANSWER_HEADER]: signature }).end(body);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  peer = { ...B, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } as Peer;
});
beforeEach(() => {
  refusals = [];
  client = new NodeClient({ key: KEY, id: 'a', refused: (facts) => refusals.push(facts) });
});
afterAll(() => server.close());

it('takes the answer that the node signed for this request', async () => {
  answer = (sign) => {
    heard.push(sign(REAL));
    return { body: REAL, signature: heard.at(-1) ?? '' };
  };
  expect(await client.ask(peer, QUESTION)).toEqual({ calls: [], unanswered: [] });
  expect(refusals).toEqual([]);
  client.close();
});

it.each<[string, Answer]>([
  ['without a signature', () => ({ body: REAL })],
  ['with a signature of another form', () => ({ body: REAL, signature: 'ü'.repeat(32) })],
  ['signed with another key', () => ({ body: REAL, signature: '0'.repeat(64) })],
  ['that was changed on the way', (sign) => ({ body: REAL.replace('[]', '[1]'), signature: sign(REAL) })],
  ['repeated from an earlier request', () => ({ body: REAL, signature: heard[0] ?? '' })],
])('refuses an answer %s', async (_, forged) => {
  answer = forged;
  await expect(client.ask(peer, QUESTION)).rejects.toThrow('Node b does not answer.');
  expect(refusals).toEqual([{ node: 'b', status: 200, answer: 'not signed by that node' }]);
  client.close();
});

it.each<[string, Answer]>([
  ['refused', () => ({ body: '{}', status: 400 })],
  ['answered without a result', (sign) => ({ body: '{}', signature: sign('{}') })],
  ['answered with too much', () => ({ body: 'x'.repeat(MAX_ANSWER_BYTES + 1) })],
])("asks on at once after a question that was %s: it may be one account's", async (_, useless) => {
  answer = useless;
  await expect(client.ask(peer, QUESTION)).rejects.toThrow(TelephonesUnavailable);
  answer = (sign) => ({ body: REAL, signature: sign(REAL) });
  expect(await client.ask(peer, QUESTION)).toEqual({ calls: [], unanswered: [] });
  client.close();
});

it('leaves a node that is not reached alone for a moment', async () => {
  await expect(client.ask({ ...peer, url: 'http://127.0.0.1:1' }, QUESTION)).rejects.toThrow();
  answer = (sign) => ({ body: REAL, signature: sign(REAL) });
  await expect(client.ask(peer, QUESTION)).rejects.toThrow('Node b does not answer.');
  client.close();
});
