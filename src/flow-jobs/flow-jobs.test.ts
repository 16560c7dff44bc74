import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { menu } from '../../test/support/payload.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { readKind } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { StorageError } from '../storage/storage.ts';
import { FlowJobs, type FlowJobsOptions, WAITING } from './flow-jobs.ts';
import type { TestJob } from './job.ts';

/** A thread that does what the id of a job says. */
const ODD_THREAD = `
const { parentPort } = require('node:worker_threads');
let running = null;
parentPort.on('message', ({ job, failed }) => {
  if (failed) return parentPort.postMessage({ error: 'storage failed' });
  const { id } = job;
  if (id === 'loop') for (;;);
  if (id === 'die') process.exit(1);
  if (id === 'grow') { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())); }
  if (id === 'read') return parentPort.postMessage({ ask: 1, method: 'getRecord', input: {} });
  if (id === 'broken') return parentPort.postMessage({ error: 'broken' });
  setTimeout(() => parentPort.postMessage({ result: { json: id } }), 20);
});`;

const never = () => Promise.reject(new StorageError('unavailable', 'The database is away.'));
const NO_STORAGE = {
  getRecord: never,
  getRecords: never,
  listRecords: never,
  listStamps: never,
  recordChanges: never,
  revisions: never,
};

describe('flow threads (T37)', () => {
  let spawned = 0;
  const open: FlowJobs[] = [];
  function flowJobs(options: Partial<FlowJobsOptions> = {}): FlowJobs {
    spawned = 0;
    const spawn = (): Worker => {
      spawned += 1;
      return new Worker(ODD_THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    };
    const made = new FlowJobs({ storage: NO_STORAGE, spawn, ...options });
    open.push(made);
    return made;
  }
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  const job = (id: string, accountId = 'a', ivr: Ivr | null = null): TestJob => ({
    kind: 'test',
    accountId,
    settings: DEFAULT_SETTINGS,
    id,
    ivr,
    directoryRevision: 0,
    changes: [],
    trace: null,
    hidesPins: false,
  });

  it('run one job of an account at a time, in its order, and two accounts at once', async () => {
    const jobs = flowJobs();
    const done: unknown[] = [];
    const run = async (id: string, account: string) => {
      const result = await jobs.run(job(id, account));
      done.push('json' in result && result.json);
    };
    await Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b')]);
    expect(done.filter((id) => id !== 'b1')).toEqual(['a1', 'a2', 'a3']);
    expect(done).toHaveLength(4);
    expect(spawned).toBe(2);
  });

  it('a job that takes too long is given up, and another account does not notice', async () => {
    const jobs = flowJobs({
      jobMs: { simulate: 3_000, test: 3_000, lint: 3_000, draft: 3_000, write: 3_000 },
    });
    const [late, other, next] = await Promise.all([
      jobs.run(job('loop')),
      jobs.run(job('b1', 'b')),
      jobs.run(job('a2')),
    ]);
    expect([late, other, next]).toEqual([{ givenUp: 'late' }, { json: 'b1' }, { json: 'a2' }]);
  });

  it.each(['die', 'grow'])(
    'a job that ends its thread (%s) is given up, and the next has a new one',
    async (id) => {
      const jobs = flowJobs();
      expect(await jobs.run(job(id))).toEqual({ givenUp: 'died' });
      expect(await jobs.run(job('next'))).toEqual({ json: 'next' });
    },
  );

  it('an error of the database is the error of the job; a broken job is an error too', async () => {
    const jobs = flowJobs();
    await expect(jobs.run(job('read'))).rejects.toThrow('The database is away.');
    await expect(jobs.run(job('broken'))).rejects.toThrow('broken');
    expect(await jobs.run(job('next'))).toEqual({ json: 'next' });
  });

  it('refuses what an account has waiting beyond its share, and nothing of another account', async () => {
    const jobs = flowJobs();
    const all = Array.from({ length: WAITING.perAccount + 3 }, () => jobs.run(job('x')));
    const other = jobs.run(job('b1', 'b'));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(await other).toEqual({ json: 'b1' });
  });

  it('in a real thread, the tests of a menu run, with the trace that is asked for', async () => {
    const tests = [1, 2].map((key) => ({
      name: `key ${key}`,
      script: `${key}`,
      expect: { outcome: 'hung-up' },
    }));
    const storage = {
      ...NO_STORAGE,
      listStamps: () => Promise.resolve([]),
      recordChanges: () => Promise.resolve({ revision: 1, changes: null }),
      getRecords: () => Promise.resolve([]),
    };
    const jobs = new FlowJobs({ storage });
    open.push(jobs);
    const ivr = readKind('ivr', menu({ tests })) as Ivr;
    const run = async (trace: number | null) => {
      const result = await jobs.run({ ...job('m', 'a', ivr), trace });
      return 'json' in result ? JSON.parse(result.json ?? '') : result;
    };
    const { data } = await run(null);
    expect(data.map(({ name, trace }: { name: string; trace?: object }) => [name, trace])).toEqual([
      ['key 1', undefined],
      ['key 2', undefined],
    ]);
    const withTrace = await run(1);
    expect(withTrace.data[0].trace).toBeUndefined();
    expect(withTrace.data[1].trace).toMatchObject({ entry: 'ivr||m' });
  });
});
