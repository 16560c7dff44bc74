// Threat T55: whoever guesses a password at several nodes in turn has no more tries than at one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WRONG_PER_NETWORK } from '../../src/api/account/sign-ins.ts';
import { invited, makeOwner, PASSWORD, signInAs } from '../api/support/people.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { call, type Service, startService } from '../support/service.ts';

/** A notice is heard within milliseconds, on a machine that is not too busy. */
const HEARD_MS = 5_000;
const heard = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, HEARD_MS));

describe.skipIf(postgresMissing())('wrong passwords at two nodes', () => {
  let server: PostgresServer;
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-sign-ins-'));
  const nodes: Service[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const DATABASE_URL = await server.newDatabase();
    for (const id of ['node-1', 'node-2'])
      nodes.push(
        await startService({
          dataDir: join(folder, id),
          env: { DATABASE_URL, NODE_ID: id, SECRET_KEY: '5a'.repeat(32) },
        }),
      );
  });
  afterAll(async () => {
    for (const node of nodes) await node.remove();
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are counted together, and lock out no other user', async () => {
    const [first, second] = nodes;
    if (!first || !second) throw new Error('There are no nodes.');
    const owner = await makeOwner(first);
    await invited(first, owner, 'viewer');
    const statuses: number[] = [];
    const guess = async ({ url }: Service): Promise<void> => {
      const body = { email: 'viewer@example.com', password: `wrong ${statuses.length}` };
      statuses.push((await call(url, 'POST', '/v1/session', { token: null, body })).status);
    };
    while (statuses.length < WRONG_PER_NETWORK - 1) await guess(first);
    await heard();
    while (statuses.length < WRONG_PER_NETWORK + 6) await guess(second);
    await heard();
    expect(statuses).toEqual([...Array(WRONG_PER_NETWORK).fill(401), ...Array(6).fill(429)]);
    const body = { email: 'viewer@example.com', password: PASSWORD };
    for (const { url } of nodes)
      expect((await call(url, 'POST', '/v1/session', { token: null, body })).status).toBe(429);
    await signInAs(second, 'owner@example.com');
  });
});
