// R1: the process is killed again and again while clients create IVRs. What a client was told is there, once.
import { expect, it } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { type Service, startService } from '../support/service.ts';
import { Creations, listIvrs, NOTHING_WRONG } from './support/creations.ts';
import { ask, keepAlive } from './support/http.ts';
import { between, ms, quantile, ROUNDS, report, waitUntil } from './support/rounds.ts';
import { integrityOf } from './support/sqlite-file.ts';

const CONNECTIONS = 16;

onBothDatabases((database) => {
  it(`loses and doubles no acknowledged IVR when the service is killed ${ROUNDS} times under load`, async () => {
    const env = await database.environment();
    const { DATA_DIR: dataDir = '' } = env;
    const creations = new Creations(`kill-9 ${database.name}`);
    const readyMs: number[] = [];
    let cursor = '';
    let service: Service | undefined;
    try {
      for (let round = 0; round <= ROUNDS; round++) {
        const startedMs = performance.now();
        service = await startService({ env, dataDir });
        const agent = keepAlive(CONNECTIONS);
        const { url } = service;
        await waitUntil('ready', async () => (await ask(agent, url, '/readyz')).status === 200, 60_000, 10);
        if (round > 0) readyMs.push(performance.now() - startedMs);

        await creations.settle(agent, url);
        const listed = await listIvrs(agent, url, cursor);
        cursor = listed.cursor;
        const { duplicates, invalid, strangers } = creations.compare(listed.ivrs);
        expect({ duplicates, invalid, strangers }, `round ${round}`).toMatchObject({
          duplicates: [],
          invalid: [],
          strangers: [],
        });
        // The last round only looks.
        if (round < ROUNDS) await loadUntilKilled(service, creations);
        agent.destroy();
      }

      const agent = keepAlive(1);
      const { ivrs } = await listIvrs(agent, service?.url ?? '');
      agent.destroy();
      const wrong = creations.compare(ivrs);
      report(
        `kill-9 ${database.name}: ${ROUNDS} rounds, ${creations.acknowledged.size} acknowledged, ` +
          `${creations.retried} retried, ${creations.replayed} replayed, ${wrong.lost.length} lost, ` +
          `${wrong.duplicates.length} duplicates, ${wrong.invalid.length} invalid; ` +
          `ready again after ${ms(quantile(readyMs, 0.5))} (median), ${ms(Math.max(...readyMs))} (longest)`,
      );
      expect(wrong).toEqual(NOTHING_WRONG);
      expect(ivrs.length).toBe(creations.sent.size);
      expect(creations.acknowledged.size).toBeGreaterThan(ROUNDS * CONNECTIONS);
      expect(creations.retried, 'no kill met a running request').toBeGreaterThan(0);
      if (database.name === 'SQLite') {
        await service?.stop();
        expect(integrityOf(dataDir)).toBe('ok');
      }
    } finally {
      await service?.remove();
    }
  });
});

/** Creates on all connections, kills the service after a random number of them, and comes back when every request has failed. */
async function loadUntilKilled(service: Service, creations: Creations): Promise<void> {
  const agent = keepAlive(CONNECTIONS);
  let alive = true;
  const client = async (): Promise<void> => {
    while (alive) {
      const { status, failed, text } = await creations.create(agent, service.url);
      if (failed) return;
      if (status !== 201) throw new Error(`A creation was answered with ${status}: ${text}`);
    }
  };
  const clients = Promise.all(Array.from({ length: CONNECTIONS }, client));
  try {
    const enough = creations.acknowledged.size + between(CONNECTIONS + 1, 20 * CONNECTIONS);
    const begun = waitUntil('creations', () => creations.acknowledged.size >= enough, 60_000, 1);
    await Promise.race([clients, begun]);
    await service.stop('SIGKILL');
    await clients;
  } finally {
    alive = false;
    agent.destroy();
  }
}
