// The address at which nodes ask each other: nothing is there for strangers, and a signed request counts once, at one node, for a while.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedKey } from '../../src/kit/sealing.ts';
import {
  ANSWER_HEADER,
  isNodeAnswer,
  NODE_PATH,
  type NodeHeaders,
  type NodeName,
  signNodeRequest,
} from '../../src/nodes/signature.ts';
import { callerOf } from '../calls/support/phone-bed.ts';
import { ACCOUNT } from '../support/pbx.ts';
import { postgresMissing } from '../support/postgres.ts';
import { call as ask, type Reply } from '../support/service.ts';
import { Cluster, type ClusterNode, SECRET_KEY } from './support/cluster.ts';

describe.skipIf(postgresMissing())('requests between nodes', () => {
  let cluster: Cluster;
  let node: ClusterNode;
  let self: NodeName;
  const key = derivedKey(
    { dataDir: '/nonexistent', secretKey: new Uint8Array(Buffer.from(SECRET_KEY, 'hex')) },
    'node requests',
  );

  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 1,
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main' },
    });
    node = cluster.node(0);
    const [{ id = '', run = '' } = {}] = await cluster.database.query('SELECT id, run FROM nodes');
    self = { id: String(id), run: String(run) };
  });
  afterAll(() => cluster?.close());

  const calls = { op: 'callsOf', account: ACCOUNT };
  const textOf = (question: object): string => JSON.stringify(question);
  const sign = (
    body: string,
    changes: Partial<{ to: NodeName; nowMs: number; key: Uint8Array }> = {},
  ): NodeHeaders =>
    signNodeRequest(changes.key ?? key ?? new Uint8Array(), {
      from: 'node-9',
      to: changes.to ?? self,
      body,
      nowMs: changes.nowMs ?? Date.now(),
    });
  const send = (body: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
    ask(node.url, 'POST', NODE_PATH, {
      token: null,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const outcome = ({ status, json }: Reply): unknown[] => [status, json?.Code ?? json?.result];

  it('a signed request is answered once', async () => {
    const body = textOf(calls);
    const headers = sign(body);
    const reply = await send(body, headers);
    expect(outcome(reply)).toEqual([200, { calls: [], unanswered: [] }]);
    const isSigned = (request: NodeHeaders): boolean =>
      isNodeAnswer(
        key ?? new Uint8Array(),
        request,
        Buffer.from(reply.text),
        reply.headers.get(ANSWER_HEADER),
      );
    expect([isSigned(headers), isSigned(sign(body))]).toEqual([true, false]);
    expect(outcome(await send(body, headers))).toEqual([403, 'node_refused']);
  });

  it('without a signature, and by any other method, there is nothing at this address', async () => {
    const body = textOf(calls);
    expect(outcome(await send(body, {}))).toEqual([404, 'path_unknown']);
    const { 'dialtree-nonce': _, ...rest } = sign(body);
    expect(outcome(await send(body, rest))).toEqual([404, 'path_unknown']);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await ask(node.url, method, NODE_PATH)).status).toBe(404);
    // A token of the API is no signature.
    expect((await ask(node.url, 'POST', NODE_PATH, { body: calls })).status).toBe(404);
    expect((await ask(node.url, 'GET', '/openapi.json')).text).not.toContain('/internal');
  });

  it('another key, another node, a former start, an old or early clock and another body are refused', async () => {
    const body = textOf(calls);
    for (const headers of [
      sign(body, { key: new Uint8Array(32) }),
      sign(body, { to: { ...self, id: 'node-2' } }),
      sign(body, { to: { ...self, run: 'former' } }),
      sign(body, { nowMs: Date.now() - 31_000 }),
      sign(body, { nowMs: Date.now() + 40_000 }),
      sign(textOf({ ...calls, account: 'other' })),
    ])
      expect(outcome(await send(body, headers))).toEqual([403, 'node_refused']);
  });

  it('a body that is too large or not a known question is refused', async () => {
    const large = textOf({ ...calls, more: 'x'.repeat(65 * 1024) });
    expect(outcome(await send(large, sign(large)))).toEqual([413, 'body_too_large']);
    for (const question of [
      {},
      { op: 'constructor' },
      { op: 'hangUp' },
      { ...calls, account: { $ne: 1 } },
      { op: 'next', session: 's', withinMs: 'x' },
    ]) {
      const body = textOf(question);
      expect(outcome(await send(body, sign(body)))).toEqual([400, 'fields_invalid']);
    }
  });

  it('a node gets and commands only the calls of the account that it names', async () => {
    const caller = await (await (await cluster.phone(node)).call('100')).answered();
    const asked = async (question: object): Promise<unknown> => {
      const body = textOf(question);
      return (await send(body, sign(body))).json.result;
    };
    const { calls: own } = (await asked(calls)) as { calls: { id: string; caller: string }[] };
    expect(own.map((one) => one.caller)).toEqual([callerOf(caller)]);
    const id = own[0]?.id ?? '';
    expect(await asked({ ...calls, account: 'other' })).toEqual({ calls: [], unanswered: [] });
    expect(await asked({ op: 'hangUp', account: 'other', id })).toBe(false);
    const by = { id: 't', name: 't' };
    const to = 'ivr||main';
    expect(await asked({ op: 'transfer', account: 'other', id, party: 'caller', to, by })).toBe('unknown');
    expect(await asked({ op: 'listenIn', account: 'other', id, eid: '1', mode: 'barge' })).toBe('unknown');
    expect(await asked({ op: 'clickToCall', account: 'other', id: 'x', eid: '1', number: '1' })).toEqual({
      refused: 'agent-unknown',
    });
    expect(await asked({ op: 'hangUp', account: ACCOUNT, id })).toBe(true);
    await caller.ended();
  });
});
