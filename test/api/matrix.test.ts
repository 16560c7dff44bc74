// Every operation × who asks (T15, T17, T43): a stranger, a malformed or misplaced token, a revoked and an expired one, one of each
// scope, and another account's. An operation without a row in support/matrix-rows.ts fails the suite.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/account.ts';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Json, type Reply } from '../support/service.ts';
import { allRows } from '../support/whole-service.ts';
import { readAll, type Seeded, seed } from './support/accounts.ts';
import { fetchDocument, fill, type Operation, operationsOf } from './support/document.ts';
import { expectFailure } from './support/failure.ts';
import { ROWS, type Row } from './support/matrix-rows.ts';

const CHALLENGE = 'Bearer realm="dialtree"';
const INVALID = `${CHALLENGE}, error="invalid_token"`;

const OPEN: readonly Row['means'][] = ['open', 'signs in', 'by link'];

/** The value, but not as some digits of a longer number: figures of /metrics have any digits by chance. */
const whole = (value: string): RegExp =>
  new RegExp(`(?<![0-9]|[0-9]\\.)${value.replaceAll(/\W/g, '\\$&')}(?![0-9]|\\.[0-9])`);

onAnyDatabase((database) => {
  let seeded: Seeded;
  let operations: Map<string, Operation>;
  let before: Json;
  /** Tokens of account A, one for each scope. */
  const scoped = new Map<Scope, string>();
  beforeAll(async () => {
    seeded = await seed(database);
    for (const scope of SCOPES) {
      const body = { name: `for ${scope}`, scopes: [scope] };
      const { json } = await call(seeded.service.url, 'POST', '/v1/token', { token: seeded.a, body });
      scoped.set(scope, json.token);
    }
    operations = new Map(operationsOf(await fetchDocument(seeded.service.url)).map((one) => [one.id, one]));
    before = await readAll(seeded);
  });
  afterAll(() => seeded?.service.remove());

  function operationOf(id: string): Operation {
    const operation = operations.get(id);
    if (!operation) throw new Error(`The OpenAPI document has no operation ${id}.`);
    return operation;
  }

  interface Way {
    readonly token?: string | null;
    readonly authorization?: string;
    readonly query?: string;
    readonly body?: unknown;
  }
  function ask(id: string, row: Row, way: Way, params = row.params?.(seeded) ?? {}): Promise<Reply> {
    const { method, path, parameters } = operationOf(id);
    // Forced, since what B's own menus point to must not hide whose record it is.
    const forced =
      method === 'DELETE' && parameters.some(({ name }) => name === 'force') ? '?force=true' : '';
    const { token = null, authorization, query = forced, body = row.body } = way;
    const headers = authorization === undefined ? {} : { authorization };
    return call(seeded.service.url, method, fill(path, params) + query, {
      token,
      headers,
      ...(row.means === 'stream' ? { firstPart: true } : {}),
      ...(body === undefined ? {} : { body }),
    });
  }

  test('a value is found as a whole, not in a longer number', () => {
    expect(['{agent="111111"} 1', 'agent 111111.'].every((text) => whole('111111').test(text))).toBe(true);
    expect(['a 0.111111', 'a 1111112', 'a 111111.5'].some((text) => whole('111111').test(text))).toBe(false);
  });

  test('every operation of the OpenAPI document has its row, and every row its operation', () => {
    expect(Object.keys(ROWS).sort()).toEqual([...operations.keys()].sort());
  });

  test('the rows without a token are those the document says are open', () => {
    const open = [...operations.values()].filter(({ guarded }) => !guarded).map(({ id }) => id);
    const rows = Object.entries(ROWS).filter(([, { means }]) => OPEN.includes(means));
    expect(rows.map(([id]) => id).sort()).toEqual(open.sort());
  });

  const guarded = Object.entries(ROWS).filter(([, { means }]) => !OPEN.includes(means));
  type Refused = readonly [string, (all: Seeded, row: Row) => Way, 'token_missing' | 'token_invalid'];
  /** Seen in the headers alone: the database makes no difference. */
  const headers: readonly Refused[] =
    database.name === 'PostgreSQL'
      ? []
      : [
          ['no token', () => ({}), 'token_missing'],
          ['no token and a broken body', (_, row) => (row.body ? { body: '{"name":' } : {}), 'token_missing'],
          ['another scheme', ({ a }) => ({ authorization: `Basic ${btoa(`x:${a}`)}` }), 'token_missing'],
          ['a token without a scheme', ({ a }) => ({ authorization: a }), 'token_missing'],
          ['a scheme without a token', () => ({ authorization: 'Bearer' }), 'token_missing'],
          ['a scheme that goes on', () => ({ authorization: 'BearerX' }), 'token_missing'],
          ['two tokens in one header', ({ a }) => ({ authorization: `Bearer ${a} ${a}` }), 'token_missing'],
          [
            'its token in the query',
            ({ a }) => ({ query: `?access_token=${a}&token=${a}` }),
            'token_missing',
          ],
        ];
  const tokens: readonly Refused[] = [
    ['an unknown token', () => ({ token: 'dialtree_nobody-has-this-one' }), 'token_invalid'],
    ['a token cut short', ({ a }) => ({ token: a.slice(0, -1) }), 'token_invalid'],
    ['a revoked token', ({ revoked }) => ({ token: revoked }), 'token_invalid'],
    ['an expired token', ({ expired }) => ({ token: expired }), 'token_invalid'],
  ];
  describe.each(guarded)('%s', (id, row) => {
    test.each([...headers, ...tokens])(
      'refuses %s with 401 and the challenge of RFC 6750',
      async (_, way, code) => {
        const reply = await ask(id, row, way(seeded, row));
        expectFailure(reply, code, id);
        expect(reply.headers.get('www-authenticate')).toBe(code === 'token_missing' ? CHALLENGE : INVALID);
      },
    );
  });

  test.each(Object.entries(ROWS).filter(([, { means }]) => means === 'open'))(
    '%s answers anybody, and shows nothing of an account',
    async (id, row) => {
      for (const way of [{}, { token: seeded.revoked }, { authorization: 'Basic x' }, { token: seeded.b }]) {
        const reply = await ask(id, row, way);
        expect(reply.status).toBe(200);
        for (const secret of [...seeded.secretsOfA, seeded.a, seeded.b])
          expect(reply.text).not.toMatch(whole(secret));
      }
    },
  );

  test.each(Object.entries(ROWS).filter(([, { means }]) => means === 'signs in'))(
    '%s refuses a request without a token in its body, whatever the headers say',
    async (id, row) => {
      for (const way of [
        {},
        { token: seeded.a },
        { body: { token: seeded.revoked } },
        { body: { token: seeded.expired } },
      ])
        expectFailure(await ask(id, row, way), 'token_invalid', id);
    },
  );

  // Addressed to nothing, so that what is allowed changes nothing.
  const nothing = {
    id: 'nothing',
    eid: 'nothing',
    version: '1',
    delivery: 'nothing',
    file: 'nothing',
    kind: 'ivr',
  };
  test.each(guarded)(
    '%s is allowed to a token with its scope or admin, and to no other (T43)',
    async (id, row) => {
      const { scope: needed, orDraft } = operationOf(id);
      for (const [scope, token] of scoped) {
        const means = row.means === 'stream' ? 'stream' : 'own';
        const reply = await ask(id, { means }, { token }, nothing);
        if (needed === undefined || scope === needed || scope === 'admin' || (orDraft && scope === 'draft')) {
          expect([401, 403], `${id} with ${scope}: ${reply.text}`).not.toContain(reply.status);
          continue;
        }
        expectFailure(reply, 'scope_missing', id);
        expect(reply.json.Scope).toBe(needed);
      }
    },
  );

  test('only signing out, changing the account in a browser, and what a user does with the own account need no scope (T43)', () => {
    const any = [...operations.values()].filter(({ guarded, scope }) => guarded && scope === undefined);
    expect(any.map(({ id }) => id).sort()).toEqual([
      'beginPasskey',
      'beginTotp',
      'confirmTotp',
      'createPasskey',
      'deletePasskey',
      'deleteSession',
      'deleteTotp',
      'endOwnSession',
      'getOwnUser',
      'putCurrentSession',
      'putOwnName',
      'putOwnPassword',
    ]);
  });

  test('strangers have changed nothing', async () => {
    expect(await readAll(seeded)).toEqual(before);
  });

  /** Every row of the first account. When a token was last used is noted by the service in its own time. */
  const rowsOfA = async (): Promise<string[]> =>
    Object.entries(await allRows(seeded.env)).flatMap(([table, rows]) =>
      rows
        .filter((row) => row.includes('"default"'))
        .map((row) => `${table} ${row.replace(/"last_used_at":\w+/, '')}`),
    );
  let rowsBefore: string[] | undefined;
  async function expectUnchanged(): Promise<void> {
    expect(await rowsOfA()).toEqual(rowsBefore);
  }

  // Deletions last: a team that is deleted cannot be made again with its number.
  const order = ([id]: [string, Row]) => Number(id.startsWith('delete'));
  const sorted = guarded.toSorted((one, other) => order(one) - order(other));
  describe.each(sorted)("another account's token on %s", (id, row) => {
    beforeAll(async () => {
      rowsBefore ??= await rowsOfA();
      expect(rowsBefore.length).toBeGreaterThan(40);
    });

    test(`${row.means === 'record' ? 'finds nothing' : 'sees its own alone'} and changes nothing of the first account`, async () => {
      const reply = await ask(id, row, { token: seeded.b });
      if (row.means === 'record' || row.means === 'unmade') expectFailure(reply, 'record_unknown', id);
      else if (row.fails) expectFailure(reply, row.fails, id);
      else if (row.means === 'live') expectFailure(reply, 'telephones_off', id);
      else if (row.means === 'user') expect([200, 404], reply.text).toContain(reply.status);
      else if (row.means === 'operator') expectFailure(reply, 'operator_only', id);
      else expect(reply.status, reply.text).toBe(operationOf(id).statuses.includes('201') ? 201 : 200);
      for (const secret of seeded.secretsOfA) expect(reply.text).not.toContain(secret);
      // The list is not empty by mistake: B's own are in it.
      if (row.means === 'list') expect(reply.text).toMatch(/222222|of B|first token/);
      await expectUnchanged();
    });

    if (row.twin) {
      test('means its own record by an id that both accounts have', async () => {
        const reply = await ask(id, row, { token: seeded.b }, row.twin?.(seeded));
        expect(reply.status, reply.text).toBe(200);
        for (const secret of seeded.secretsOfA) expect(reply.text).not.toContain(secret);
        await expectUnchanged();
      });
    }
  });

  test('another account has changed nothing that the first one reads', async () => {
    expect(await readAll(seeded)).toEqual(before);
  });

  test('the rows address what is there: the first account itself gets a success from each', async () => {
    for (const [id, row] of sorted.filter(([, { means }]) => !['live', 'user', 'unmade'].includes(means))) {
      const reply = await ask(id, row, { token: seeded.a });
      if (row.fails) expectFailure(reply, row.fails, id);
      else expect([200, 201], `${id}: ${reply.text}`).toContain(reply.status);
    }
    expect(await readAll(seeded)).not.toEqual(before);
  });

  test('what the service decides cannot be sent: a creation is refused, a change ignores what GET shows (T18)', async () => {
    const forged = { account_id: 'x', accountId: 'x', tenant_id: 'x', role: 'admin', sip: 'x' };
    const made = { version: 99, created_at: '2000-01-01T00:00:00.000Z', calls_answered: 7, custom_status: 1 };
    const send = (method: string, path: string, body: object) =>
      call(seeded.service.url, method, path, { token: seeded.b, body });
    const refused = await send('POST', '/v1/agent', { name: 'Forged', ...forged, ...made });
    expect(refused.json.Errors.map(({ Pointer }: Json) => Pointer.slice(1)).sort()).toEqual(
      [...Object.keys(forged), ...Object.keys(made)].sort(),
    );
    const { headers } = await send('POST', '/v1/agent', { name: 'Forged' });
    const path = headers.get('location') ?? '';
    expect((await send('PUT', path, { name: 'Forged', ...forged })).status).toBe(400);
    expect((await send('PUT', path, { name: 'Forged', id: 'mine', ...made })).status).toBe(200);
    const { json, text } = await call(seeded.service.url, 'GET', path, { token: seeded.b });
    expect(json).toMatchObject({ name: 'Forged', version: 2, calls_answered: 0, custom_status: 0 });
    expect(json.id).not.toBe('mine');
    expect(text).not.toMatch(/account|tenant|role|"sip"|2000-01-01/);
    expect((await call(seeded.service.url, 'GET', path, { token: seeded.a })).status).toBe(404);
  });
});
