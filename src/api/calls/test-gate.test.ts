import { expect, it, vi } from 'vitest';
import { NEW_ACCOUNT_SETTINGS } from '../../domain/account.ts';
import type { FlowJob, FlowResult } from '../../flow-jobs/job.ts';
import { isProblem, problem } from '../../kinds/problem.ts';
import { StoragePipeline } from '../../storage/pipeline.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import type { ApiRequest } from '../http/handler.ts';
import { BreaksTests, GateRuns, TestGate } from './test-gate.ts';

const RED = { menu: 'main', menu_name: 'Main', name: 'sales', passed: false, differences: ['gone.'] };
const answer = (data: object[], isWhole: boolean, isUntested = false): FlowResult => ({
  json: JSON.stringify({ data, isWhole, isUntested }),
});
const ADDRESS = { accountId: 'a', id: 'x', atMs: 0, json: '{}' } as const;
const UPDATED = { outcome: 'updated', version: 2 } as const;
const done = (text: string) => ({ status: 200, json: { Success: true, Message: text } });

function bed(run: (job: FlowJob) => Promise<FlowResult>, query: Record<string, string> = {}) {
  const jobs: FlowJob[] = [];
  const written: string[] = [];
  const account = { id: 'a', settings: NEW_ACCOUNT_SETTINGS };
  const flowJobs = {
    run: (job: FlowJob) => {
      jobs.push(job);
      return run(job);
    },
  };
  const faults: unknown[] = [];
  const runs = new GateRuns(flowJobs, (error) => faults.push(error));
  const gate = new TestGate({ account, query } as unknown as ApiRequest, runs);
  const base = {
    updateRecord: async ({ kind }: { kind: string }) => {
      written.push(kind);
      return UPDATED;
    },
    createRecord: async ({ kind }: { kind: string }) => {
      written.push(kind);
      return { outcome: 'created' };
    },
  };
  const storage = new StoragePipeline(base as unknown as Storage).storage({ gate });
  return { gate, storage, jobs, written, faults };
}

it('a write that breaks a test is refused before the storage has it', async () => {
  const { storage, written } = bed(async () => answer([RED], true));
  const failed = await storage.updateRecord({ ...ADDRESS, kind: 'switch' }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BreaksTests);
  expect((failed as BreaksTests).problem).toMatchObject({ problem: 'tests_failed' });
  expect(written).toEqual([]);
});

it.each([
  ['there are more tests than a write waits for', async () => answer([], false)],
  ['the threads have too much to do', async () => Promise.reject(new StorageError('overloaded', 'too much'))],
])('where %s, it is stored, and the answer says that tests were not run', async (_, run) => {
  const { gate, storage, written } = bed(run);
  expect(await storage.updateRecord({ ...ADDRESS, kind: 'department' })).toEqual(UPDATED);
  expect(written).toEqual(['department']);
  const said = gate.said(done('Department updated.'));
  expect(!isProblem(said) && said.json).toMatchObject({
    Message: expect.stringMatching(/^Department updated\. Not all tests of menus were run/),
  });
  const refused = problem('record_unknown', 'gone');
  expect(gate.said(refused)).toBe(refused);
});

it('records that no call depends on, new ones with an id of ours, and skip_tests ask for no test', async () => {
  const { gate, storage, jobs, written } = bed(async () => answer([], true));
  await storage.updateRecord({ ...ADDRESS, kind: 'webhook' });
  await storage.createRecord({ ...ADDRESS, kind: 'department' });
  expect(jobs).toEqual([]);
  await storage.createRecord({ ...ADDRESS, kind: 'department', isChosen: true });
  expect(jobs).toHaveLength(1);
  expect(written).toHaveLength(3);
  expect(gate.said(done('Done.'))).toEqual(done('Done.'));
  const skipping = bed(async () => answer([RED], true), { skip_tests: 'true' });
  expect(await skipping.storage.updateRecord({ ...ADDRESS, kind: 'switch' })).toEqual(UPDATED);
});

it('an account without tests is not asked about again, until a menu is written', async () => {
  const { storage, jobs } = bed(async () => answer([], true, true));
  const change = (id: string) => storage.updateRecord({ ...ADDRESS, id, kind: 'department' });
  await change('1');
  await change('2');
  expect(jobs).toHaveLength(1);
  await storage.createRecord({ ...ADDRESS, kind: 'ivr' });
  await change('3');
  expect(jobs).toHaveLength(2);
});

it('an account is not taken for one without tests by an answer that is older than a menu of it', async () => {
  let arrive: (answered: FlowResult) => void = () => undefined;
  const late = new Promise<FlowResult>((resolve) => {
    arrive = resolve;
  });
  const { storage, jobs } = bed(() => (jobs.length === 1 ? late : Promise.resolve(answer([], true))));
  const change = (id: string) => storage.updateRecord({ ...ADDRESS, id, kind: 'department' });
  const first = change('1');
  await storage.createRecord({ ...ADDRESS, kind: 'ivr' });
  arrive(answer([], true, true));
  await first;
  await change('2');
  expect(jobs).toHaveLength(2);
});

it('where a job fails by a fault of ours, the write is stored, and its answer says that tests were not run', async () => {
  const fault = new Error('a bug');
  const { gate, storage, faults } = bed(async () => Promise.reject(fault));
  expect(await storage.updateRecord({ ...ADDRESS, kind: 'department' })).toEqual(UPDATED);
  expect(gate.said(done('Done.'))).not.toEqual(done('Done.'));
  expect(faults).toEqual([fault]);
});

it('writes of one account have one job at a time, and none is stored untested for that', async () => {
  let running = 0;
  let most = 0;
  const { gate, storage, jobs } = bed(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return answer([], true);
  });
  const ids = Array.from({ length: 40 }, (_, index) => `${index}`);
  await Promise.all(ids.map((id) => storage.updateRecord({ ...ADDRESS, id, kind: 'department' })));
  expect([jobs.length, most]).toEqual([40, 1]);
  expect(gate.said(done('Done.'))).toEqual(done('Done.'));
});

it('a job that does not end is waited for five seconds: the write is stored untested', async () => {
  vi.useFakeTimers();
  try {
    const { gate, storage, written } = bed(() => new Promise(() => undefined));
    const write = storage.updateRecord({ ...ADDRESS, kind: 'department' });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await write).toEqual(UPDATED);
    expect(gate.said(done('Done.'))).not.toEqual(done('Done.'));
  } finally {
    vi.useRealTimers();
  }
});
