// R21: SQLite's method. The first, second, third, … write or sync to disk fails, once, while an IVR is created and
// changed. Every answer is a success or a clean refusal, and asking again leads to the same end as if nothing had been.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { type Service, startService } from '../support/service.ts';
import { Creations, listIvrs } from './support/creations.ts';
import { type Answer, ask, faultOfRefusal, keepAlive } from './support/http.ts';
import { straceMissing } from './support/needs.ts';
import { report, sleep } from './support/rounds.ts';
import { integrityOf } from './support/sqlite-file.ts';
import { attach, type Tracer } from './support/strace.ts';

const PLACES = 8;
const MAX_TRIES = 40;
/** strace counts per thread; of the service's threads only the writer of the database makes these calls to its file. */
const FAULTS = [
  'pwrite64:error=EIO',
  'pwrite64:error=ENOSPC',
  'fsync,fdatasync:error=EIO',
  'fsync,fdatasync:error=ENOSPC',
] as const;

describe.skipIf(straceMissing())('a disk that fails once', () => {
  let service: Service;
  const refused: Answer[] = [];
  const wrong: Answer[] = [];
  let runs = 0;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  /** Asks again after a refusal. The fault has struck then, and would strike anew in every thread that is started. */
  async function untilDone(tracer: Tracer, send: () => Promise<Answer>): Promise<Answer> {
    let answer = await send();
    for (let tries = 0; tries < MAX_TRIES && answer.status >= 500; tries++) {
      if (answer.status === 503 || answer.status === 507) refused.push(answer);
      else wrong.push(answer);
      await tracer.detach();
      await sleep(100);
      answer = await send();
    }
    return answer;
  }

  it.each(FAULTS)(
    'create and update end as if nothing had been when %s strikes at any place',
    async (fault) => {
      const agent = keepAlive(2);
      const { url } = service;
      const creations = new Creations(fault);
      const kinds = fault.slice(0, fault.indexOf(':'));
      for (let place = 1; place <= PLACES; place++) {
        const tracer = await attach(service.process.pid ?? 0, [
          ...['-o', '/dev/null', '-e', `trace=${kinds}`, '-e', `inject=${fault}:when=${place}`],
        ]);
        try {
          runs += 1;
          const creation = creations.next();
          const created = await untilDone(tracer, () => creations.create(agent, url, creation));
          expect(created.status, created.failed ?? created.text).toBe(201);
          const path = created.headers.location ?? '';
          const body = JSON.stringify(
            menu({ name: creation.name, description: creation.description, timeout: 9 }),
          );
          const updated = await untilDone(tracer, () =>
            ask(agent, url, path, { method: 'PUT', body, headers: { 'if-match': '"1"' } }),
          );
          // 412 when the update was done although its answer was a refusal: it may be known to be done, never be half done.
          expect([200, 412], updated.text).toContain(updated.status);
          const read = await ask(agent, url, path);
          expect(JSON.parse(read.text)).toMatchObject({ version: 2, timeout: 9, name: creation.name });
        } finally {
          await tracer.detach();
        }
      }
      creations.open = [];
      const { ivrs } = await listIvrs(agent, url);
      const mine = ivrs.filter(({ name }) => creations.sent.has(name));
      expect(creations.compare(mine)).toEqual({ lost: [], duplicates: [], invalid: [], strangers: [] });
      expect(mine).toHaveLength(PLACES);
      agent.destroy();
    },
  );

  it('refused cleanly whenever it refused, never crashed, and left a sound file', async () => {
    report(`failing calls: ${runs} runs, ${refused.length} refusals, ${wrong.length} other failures`);
    expect(refused.length, 'no fault struck').toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    expect(refused.map(faultOfRefusal).filter((fault) => fault !== null)).toEqual([]);
    expect(service.process.exitCode, service.said.join('')).toBeNull();
    expect(await service.stop()).toBe(0);
    expect(integrityOf(service.dataDir)).toBe('ok');
  });
});
