import { expect, it } from 'vitest';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { METHOD_NAMES, METHODS, type Method, type Methods } from './methods.ts';
import { StoragePipeline } from './pipeline.ts';
import type { Actor } from './ports/audit.ts';
import type { Storage } from './storage.ts';

const acting = (storage: Storage, actor: Actor): Storage => new StoragePipeline(storage).storage({ actor });
const watched = (storage: Storage, routesChanged: () => void | Promise<void>): Storage =>
  new StoragePipeline(storage, { routesChanged }).storage();
const waking = (storage: Storage, wake: (lane: OutboxJob['lane']) => void): Storage =>
  new StoragePipeline(storage, { wake }).storage();

/** A storage that notes which methods were called, with what. */
function notingStorage(outputs: Partial<Record<Method, unknown>> = {}) {
  const calls: [string, unknown][] = [];
  const methods = METHOD_NAMES.map((name) => [
    name,
    async (input: unknown) => {
      calls.push([name, input]);
      return outputs[name] ?? {};
    },
  ]);
  return { calls, storage: Object.fromEntries(methods) as Storage };
}

const job = (id: string, lane: OutboxJob['lane']): OutboxJob => ({
  id,
  accountId: 'a',
  lane,
  orderKey: '',
  dueAtMs: 0,
  createdAtMs: 0,
  json: '{}',
});

async function callAll(storage: Storage, input: object): Promise<void> {
  const methods: Record<Method, (input: never) => Promise<unknown>> = storage;
  for (const name of METHOD_NAMES) await methods[name](input as never);
}

it('every write that takes an actor is made in the name of the one given, unless it names its own', async () => {
  const { calls, storage } = notingStorage();
  const by = { id: 't', name: 'token', requestId: 'r', atMs: 1 };
  await callAll(acting(storage, by), { jobs: [] });
  const named = calls.filter(([, input]) => 'by' in (input as object)).map(([name]) => name);
  expect(named).toEqual(METHOD_NAMES.filter((name) => 'actor' in METHODS[name]));
  expect(named).toContain('createSession');
  calls.length = 0;
  await acting(storage, by).revokeToken({ accountId: 'a', id: 'x', by: { ...by, id: 'other' } });
  expect(calls).toEqual([['revokeToken', { accountId: 'a', id: 'x', by: { ...by, id: 'other' } }]]);
});

it('a write to what calls are routed by is reported after its commit, and no other call', async () => {
  const { calls, storage } = notingStorage();
  const reported: (string | undefined)[] = [];
  await callAll(
    watched(storage, () => void reported.push(calls.at(-1)?.[0])),
    {},
  );
  expect(reported).toEqual([
    'createRecord',
    'updateRecord',
    'deleteRecord',
    'restoreDeleted',
    'publish',
    'createAccount',
    'changeSettings',
    'changeLimits',
  ]);
});

it('adding jobs wakes each of their lanes once, after the commit', async () => {
  const woken: string[] = [];
  const { storage } = notingStorage({ requeueJob: { requeued: true, lane: 'email' } });
  const noted: Storage = {
    ...storage,
    addJobs: async () => {
      woken.push('stored');
      return { refused: [] };
    },
  };
  const wakingStorage = waking(noted, (lane) => void woken.push(lane));
  await wakingStorage.addJobs({ jobs: [job('1', 'sms'), job('2', 'sms'), job('3', 'email')] });
  expect(woken.splice(0)).toEqual(['stored', 'sms', 'email']);
  await wakingStorage.saveCalls({ calls: [], jobs: [job('4', 'webhook')] });
  await wakingStorage.saveCalls({ calls: [] });
  expect(woken.splice(0)).toEqual(['webhook']);
  await wakingStorage.queueMessages({ messages: [] });
  await wakingStorage.requeueJob({ accountId: 'a', id: '1', nowMs: 0 });
  expect(woken).toEqual(['sms', 'email']);
  const refused = notingStorage({ requeueJob: { requeued: false, lane: 'email' } });
  const answer = await waking(refused.storage, (lane) => void woken.push(lane)).requeueJob({
    accountId: 'a',
    id: '1',
    nowMs: 0,
  });
  expect([answer, woken.length]).toEqual([{ requeued: false, lane: 'email' }, 2]);
});

it('a request in a draft: what is drafted goes into the draft and past the gate, all else passes the gate, all in its name', async () => {
  const { calls, storage } = notingStorage({ saveDraft: 'saved', getRecord: { version: 1 }, listDraft: [] });
  const actor = { id: 't', name: 'token', requestId: 'r', atMs: 1 };
  const gated: Method[] = [];
  const edits: string[] = [];
  const own = new StoragePipeline(storage).storage({
    actor,
    draft: {
      accountId: 'a',
      editorId: 't',
      editorName: 'token',
      atMs: 1,
      noteEdit: () => void edits.push('edit'),
    },
    gate: {
      write(method, input, below) {
        gated.push(method);
        const methods: Methods = below;
        return methods[method](input);
      },
    },
  });
  const change = { accountId: 'a', id: 'x', atMs: 1, json: '{}' };
  await own.updateRecord({ ...change, kind: 'ivr' });
  expect([calls.at(-1), gated, edits.length]).toEqual([
    ['saveDraft', expect.objectContaining({ kind: 'ivr', by: actor })],
    [],
    1,
  ]);
  await own.updateRecord({ ...change, kind: 'webhook' });
  expect([calls.at(-1), gated, edits.length]).toEqual([
    ['updateRecord', { ...change, kind: 'webhook', by: actor }],
    ['updateRecord'],
    1,
  ]);
});

it('every request has the methods of one object, and none of its own', () => {
  const pipeline = new StoragePipeline(notingStorage().storage);
  const [one, other] = [pipeline.storage(), pipeline.storage()];
  expect(METHOD_NAMES.every((name) => one[name] === other[name])).toBe(true);
  expect(METHOD_NAMES.filter((name) => Object.hasOwn(one, name))).toEqual([]);
});
