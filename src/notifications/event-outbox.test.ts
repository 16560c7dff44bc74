import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { CallEventType, Webhook } from '../kinds/webhook.ts';
import { EventOutbox, MAX_WAITING, WAIT_MS } from './event-outbox.ts';
import { webhookJobs } from './webhook-jobs.ts';

let clock: VirtualClock;
let batches: string[][];
let broken: boolean;
let dropped: number;
let nextId: number;
let eventOutbox: EventOutbox;

function event(type: CallEventType, callId = 'c1', data: object = {}): PublishedEvent {
  return { id: `e${nextId++}`, type, accountId: 'a', callId, atMs: 5, data: { call: {}, ...data } };
}

const hook = (id: string, data: Partial<Webhook> = {}): StoredRecord<Webhook> => ({
  id,
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  data: { name: id, url: '', events: ['*'], status: 'active', sealed_secret: '', ...data },
});

const ids = (jobs: readonly OutboxJob[]): string[] => jobs.map(({ id }) => id);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await settled();
}

beforeEach(() => {
  clock = new VirtualClock();
  batches = [];
  broken = false;
  dropped = 0;
  nextId = 1;
  eventOutbox = new EventOutbox({
    storage: {
      addJobs: async ({ jobs }) => {
        if (broken) throw new Error('away');
        batches.push(ids(jobs));
        return { refused: jobs.filter(({ json }) => json.includes('refuse')).map(({ id }) => id) };
      },
    },
    clock,
    jobsFor: (one) => webhookJobs([hook('w')], one),
    failed: () => undefined,
    dropped: (jobs) => {
      dropped = jobs;
    },
  });
});

describe('call events', () => {
  it('of a moment are stored together, in order', async () => {
    eventOutbox.publish(event('call.received'));
    eventOutbox.publish(event('call.key', 'c2'));
    expect(batches).toEqual([]);
    await pass(WAIT_MS);
    expect(batches).toEqual([['e1.w', 'e2.w']]);
    expect(eventOutbox.waiting).toBe(0);
  });

  it('of the end of a call wait for its record, with what comes after, and take along what is not stored yet', async () => {
    eventOutbox.publish(event('call.key'));
    eventOutbox.publish(event('call.key', 'c2'));
    eventOutbox.publish(event('call.missed'));
    eventOutbox.publish(event('call.ended'));
    eventOutbox.publish(event('voicemail.received'));
    const jobs = eventOutbox.jobsOf(['c1', 'c9']);
    expect(ids(jobs)).toEqual(['e1.w', 'e3.w', 'e4.w', 'e5.w']);
    eventOutbox.publish(event('call.recorded'));
    await pass(WAIT_MS);
    expect(batches).toEqual([['e1.w', 'e2.w']]);
    eventOutbox.recorded(['c1', 'c9'], jobs);
    await pass(WAIT_MS);
    // What came while the record was written is stored after it.
    expect(batches).toEqual([['e1.w', 'e2.w'], ['e6.w']]);
    expect(eventOutbox.waiting).toBe(0);
    expect(eventOutbox.jobsOf(['c1'])).toEqual([]);
  });

  it('wait while the database is away, and stay in order', async () => {
    broken = true;
    eventOutbox.publish(event('call.received'));
    await pass(WAIT_MS);
    eventOutbox.publish(event('call.key'));
    await pass(500);
    broken = false;
    await pass(500);
    expect(batches).toEqual([['e1.w', 'e2.w']]);
  });

  it('beyond what memory may hold are dropped, the newest first, and counted', async () => {
    broken = true;
    for (let count = 0; count < MAX_WAITING + 3; count++) eventOutbox.publish(event('call.key'));
    expect([eventOutbox.waiting, dropped]).toEqual([MAX_WAITING, 3]);
    broken = false;
    await eventOutbox.flush();
    expect(eventOutbox.waiting).toBe(0);
    expect(batches.flat().length).toBe(MAX_WAITING);
    eventOutbox.publish(event('call.key', 'c1', { note: 'refuse' }));
    await eventOutbox.flush();
    expect(dropped).toBe(4);
  });

  it('are flushed when the service ends, unless the database is away', async () => {
    eventOutbox.publish(event('call.key'));
    await eventOutbox.flush();
    expect(batches).toEqual([['e1.w']]);
    broken = true;
    eventOutbox.publish(event('call.key'));
    await eventOutbox.flush();
    expect(eventOutbox.waiting).toBe(1);
    eventOutbox.close();
    expect(clock.running).toBe(0);
  });
});

describe('webhooks are told', () => {
  it('what they listen to, while they are active', () => {
    const hooks = [
      hook('all'),
      hook('ended', { events: ['call.ended', 'call.missed'] }),
      hook('nothing', { events: [] }),
      hook('paused', { status: 'paused' }),
    ];
    expect(ids(webhookJobs(hooks, event('call.ended')))).toEqual(['e1.all', 'e1.ended']);
    expect(ids(webhookJobs(hooks, event('call.key')))).toEqual(['e2.all']);
    expect(webhookJobs([], event('call.key'))).toEqual([]);
  });

  it('once of an option that names them, whether they listen to it or not', () => {
    const hooks = [hook('all'), hook('nothing', { events: [] }), hook('paused', { status: 'paused' })];
    const chosen = (webhook: string) => ids(webhookJobs(hooks, event('call.option', 'c1', { webhook })));
    expect(chosen('nothing')).toEqual(['e1.all', 'e1.nothing']);
    expect(chosen('all')).toEqual(['e2.all']);
    expect(chosen('paused')).toEqual(['e3.all']);
    expect(ids(webhookJobs(hooks, event('call.key', 'c1', { webhook: 'nothing' })))).toEqual(['e4.all']);
  });

  it('in an order of their own for each call', () => {
    const [job] = webhookJobs([hook('w')], event('call.key', 'c7'));
    expect(job).toMatchObject({ lane: 'webhook', orderKey: 'w c7', subject: 'w', accountId: 'a' });
    expect(JSON.parse(job?.json ?? '')).toEqual({
      id: 'e1',
      type: 'call.key',
      timestamp: '1970-01-01T00:00:00.005Z',
      data: { call: {} },
    });
  });
});
