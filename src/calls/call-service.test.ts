// The telephone side as a whole, on fake telephony: what the API asks of it, what it starts, and what its end leaves behind.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { VOICEMAIL_BOX } from '../../test/support/payload.ts';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import { MemoryAllowance } from '../sharing/memory/allowance.ts';
import { memoryAgents } from '../sharing/memory/queues.ts';
import { MemorySlots } from '../sharing/memory/slots.ts';
import { NO_OTHERS } from '../sharing/ports/node-counts.ts';
import type { CallRecordingRow } from '../storage/ports/call-recordings.ts';
import { openSqlite } from '../storage/sqlite/sqlite.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../telephony/fake/fake-telephony.ts';
import { CallService, type CallServiceParts } from './call-service.ts';
import type { PublishedEvent } from './events/call-events.ts';
import type { CallFacts } from './records/call-record.ts';
import type { CallRecordingFacts } from './records/call-recordings.ts';

let folder = '';
let storage: Storage;
let telephony: FakeTelephony;
let onSaved: (row: CallRecordingRow, facts: CallRecordingFacts) => Promise<void> | undefined;
let service: CallService | null = null;
const counted: string[] = [];

const create = (kind: 'agent' | 'number' | 'voicemail', id: string, data: object) =>
  storage.createRecord({ accountId: 'acme', kind, id, atMs: 0, json: JSON.stringify(data), keys: [] });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-service-'));
  storage = await openSqlite(folder);
  const token = {
    id: 'token',
    accountId: 'acme',
    name: 't',
    hash: 'x',
    createdAtMs: 0,
    expiresAtMs: null,
    use: 'api' as const,
    parentId: null,
    scopes: ['admin' as const],
    lastUsedAtMs: null,
  };
  const account = { id: 'acme', name: 'acme', createdAtMs: 0, settings: DEFAULT_SETTINGS };
  await storage.createAccount({ account, token });
  for (const eid of ['1', '2'])
    await create('agent', eid, { ...DEFAULTS.agent, name: `Agent ${eid}`, eid, intercom: `100${eid}` });
  await create('voicemail', 'sales', { ...VOICEMAIL_BOX, name: 'Sales', email: 'sales@example.org' });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await service?.close();
  service = null;
  counted.length = 0;
});

afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(more: Partial<CallServiceParts> = {}): Promise<CallService> {
  const clock = new VirtualClock(Date.now());
  const callRecordings = {
    onSaved: (saved: typeof onSaved) => {
      onSaved = saved;
    },
    settled: async () => undefined,
    refusal: () => null,
  } as unknown as CallServiceParts['callRecordings'];
  service = await CallService.open({
    storage,
    snapshots: new AccountSnapshots(storage),
    sealer: { seal: (secret) => secret, open: (sealed) => sealed },
    logger: pino({ level: 'silent' }),
    clock,
    agents: memoryAgents(clock),
    callRecordings,
    allowance: new MemoryAllowance({ most: 10 }, () => clock.nowMs()),
    slots: new MemorySlots(),
    counts: NO_OTHERS,
    openTelephony: async (user) => {
      telephony = new FakeTelephony(user);
      return telephony;
    },
    counted: {
      callBegan: (direction) => void counted.push(`began ${direction}`),
      callEnded: (_facts, { end }, outcome) => void counted.push(`ended ${end.code} ${outcome}`),
      callRefused: (status) => void counted.push(`refused ${status}`),
    },
    ends: { jobsOf: () => [], endJobsOf: () => [], recorded: () => undefined },
    ...more,
  });
  return service;
}

const BY_AGENT = { peer: { kind: 'phone', id: 'acme/2' } } as const;

/** Agent 2 calls agent 1, who answers. */
async function talk(): Promise<{ caller: FakeLeg; phone: FakeLeg }> {
  telephony.register('acme/1');
  const caller = await telephony.call('1001', BY_AGENT);
  const phone = telephony.dialled.at(-1);
  if (!(caller instanceof FakeLeg) || !phone) throw new Error('no call');
  phone.remote.answer();
  return { caller, phone };
}

describe('what the API asks', () => {
  it('calls are listed, sent elsewhere and hung up for their own account, and their events are followed', async () => {
    const calls = await open();
    const following = await calls.control.follow('acme', null);
    if (typeof following === 'string') throw new Error(following);
    const { caller, phone } = await talk();
    const [live] = (await calls.control.callsOf({ account: 'acme' })).calls;
    expect(live).toMatchObject({ state: 'connected', agent: '1' });
    expect(await calls.control.callsOf({ account: 'other' })).toEqual({ calls: [], unanswered: [] });
    expect([calls.running, (await calls.control.counts()).calls]).toEqual([1, 1]);
    const id = live?.id ?? '';
    expect(await calls.control.hangUp({ account: 'other', id })).toBe(false);
    const by = { kind: 'operator', id: 't', name: 'Desk' } as const;
    expect(
      await calls.control.transfer({ account: 'acme', id, party: 'caller', to: 'extension||9', by }),
    ).toBe('destination-unknown');
    expect(await calls.control.listenIn({ account: 'acme', id, eid: '9', mode: 'monitor' })).toBe(
      'agent-unknown',
    );
    expect(await calls.control.clickToCall({ account: 'acme', id: 'x', eid: '9', number: '1001' })).toEqual({
      refused: 'agent-unknown',
    });
    expect(await calls.control.hangUp({ account: 'acme', id })).toBe(true);
    expect([caller.state, phone.state, calls.running]).toEqual(['ended', 'ended', 0]);
    const events = await following.next(1000);
    expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'call.ended' })]));
    following.close();
    expect(counted).toEqual(['began internal', expect.stringMatching(/^ended operator-hung-up /)]);
    await calls.close();
    expect(await storage.getCall({ accountId: 'acme', id })).toMatchObject({ endCode: 'operator-hung-up' });
  });

  it('phones, queues and trunks are as telephony knows them', async () => {
    const calls = await open();
    telephony.register('acme/1');
    expect(await calls.control.phonesOf({ account: 'acme', eid: '1' })).toHaveLength(1);
    expect(await calls.control.phonesOf({ account: 'acme', eid: '2' })).toEqual([]);
    expect(
      await calls.control.queueOf({ account: 'acme', department: 'department||x', eids: ['1', '2'] }),
    ).toMatchObject({ waiting: [] });
    expect(await calls.control.trunkState({ account: 'acme', id: 't1' })).toMatchObject({
      registered: null,
      registered_by: null,
    });
    expect(await calls.control.report()).toMatchObject({ registrations: 1 });
    expect((await calls.control.counts()).report).toMatchObject({ registrations: 1 });
    expect(calls.routes.account('unknown')).toBeUndefined();
  });

  it('a call that is refused is counted, and new ones are refused while the node drains', async () => {
    const calls = await open();
    expect(await telephony.call('9999', BY_AGENT)).toEqual({ status: 403 });
    expect(counted).toEqual(['ended call-refused refused', 'refused 403']);
    calls.control.setDrain(true);
    expect([calls.isDraining, await telephony.call('1001', BY_AGENT)]).toMatchObject([true, { status: 503 }]);
    calls.control.setDrain(false);
    await talk();
    calls.drain();
    calls.control.setDrain(true);
    calls.control.setDrain(false);
    expect([calls.isDraining, (await calls.control.counts()).isDraining]).toEqual([true, true]);
    expect(await telephony.call('1001', BY_AGENT)).toMatchObject({ status: 503 });
    calls.hangUpAll();
    expect(calls.running).toBe(0);
  });

  it.each([
    ['full', new StorageError('full', 'no space')],
    ['unavailable', new Error('away')],
  ])('records that are not written are said, and why: %s', async (why, error) => {
    const calls = await open();
    expect(await calls.control.recordFailure()).toBeNull();
    vi.spyOn(storage, 'saveCalls').mockRejectedValue(error);
    const { caller } = await talk();
    caller.remote.hangUp();
    await vi.waitFor(async () => expect(await calls.control.recordFailure()).toBe(why));
    expect(await calls.control.counts()).toMatchObject({ waitingRecords: 1, recordFailure: why });
  });
});

describe('a recording that is stored', () => {
  const row = (changes: Partial<CallRecordingRow>): CallRecordingRow => ({
    accountId: 'acme',
    id: 'r1',
    kind: 'call',
    callId: 'c',
    box: null,
    eid: '1',
    caller: null,
    callerName: '',
    dialled: '100',
    startedAtMs: 1000,
    durationMs: 500.4,
    bytes: 1,
    heardAtMs: null,
    place: null,
    ...changes,
  });
  const call: CallFacts = {
    id: 'c',
    accountId: 'acme',
    callId: 'c@x',
    direction: 'inbound',
    caller: null,
    callerName: '',
    dialled: '100',
    entry: 'ivr||main',
    startedAtMs: 0,
  };
  const facts = { call } as CallRecordingFacts;

  async function publishing(): Promise<PublishedEvent[]> {
    const calls = await open();
    const events: PublishedEvent[] = [];
    calls.callEvents.subscribe((event) => void events.push(event));
    return events;
  }

  it('of a conversation is published with its agent', async () => {
    const events = await publishing();
    await onSaved(row({}), facts);
    expect(events).toMatchObject([
      {
        type: 'call.recorded',
        data: {
          recording: { id: 'r1', agent: '1', duration_ms: 500.4, audio: '/v1/call/recording/r1/audio' },
        },
      },
    ]);
    expect(events[0]?.data).not.toHaveProperty('voicemail');
  });

  it('of a message is published with the name and the e-mail address that its box has now', async () => {
    const events = await publishing();
    await onSaved(row({ kind: 'voicemail', box: 'sales', eid: null }), facts);
    await onSaved(row({ kind: 'voicemail', box: 'gone', eid: null }), facts);
    const audio = '/v1/voicemail/r1/audio';
    expect(events).toMatchObject([
      {
        type: 'voicemail.received',
        data: { voicemail: { id: 'r1', box: 'sales', box_name: 'Sales', email: 'sales@example.org', audio } },
      },
      { data: { voicemail: { box: 'gone', box_name: null, email: null } } },
    ]);
  });

  it('of a message is published again later when its box cannot be read', async () => {
    const events = await publishing();
    vi.spyOn(storage, 'getRecord').mockRejectedValueOnce(new Error('away'));
    await expect(onSaved(row({ kind: 'voicemail', box: 'sales' }), facts)).rejects.toThrow('away');
    expect(events).toEqual([]);
  });
});

describe('among several nodes', () => {
  const notices = { publish: () => undefined, subscribe: () => () => undefined };

  it('what a dead node did is taken over, and nothing of this node', async () => {
    const take = vi.spyOn(storage, 'takeBindings');
    const release = vi.spyOn(storage, 'releaseTrunks');
    const calls = await open({ sharing: { node: 'here', notices } });
    await calls.nodeDied('here');
    expect([take.mock.calls, release.mock.calls]).toEqual([[], []]);
    await calls.nodeDied('there');
    expect([take.mock.calls, release.mock.calls]).toEqual([
      [[{ from: 'there', node: 'here' }]],
      [[{ node: 'there' }]],
    ]);
  });
});

describe('the end', () => {
  function fakeTimers(): void {
    // SQLite's waits a millisecond by a timer, where it was asked within the last one.
    vi.spyOn(storage, 'revisions').mockImplementation(async (topics) => topics.map(() => 1));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  }

  it('leaves no timer behind, also while the database is away', async () => {
    fakeTimers();
    const calls = await open();
    const { caller } = await talk();
    vi.spyOn(storage, 'saveCalls').mockRejectedValue(new Error('away'));
    caller.remote.hangUp();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await calls.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits 1.5 s for a call that does not end, and no longer', async () => {
    fakeTimers();
    const calls = await open();
    await talk();
    telephony.close = async () => undefined;
    let isClosed = false;
    const closing = calls.close().then(() => {
      isClosed = true;
    });
    const pass = async (ms: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    };
    await pass(1_479);
    expect(isClosed).toBe(false);
    await pass(21);
    expect(vi.getTimerCount()).toBe(0);
    await closing;
  });

  it('of a start that fails closes what was opened', async () => {
    fakeTimers();
    const openTelephony = () => Promise.reject(new Error('port in use'));
    await expect(open({ openTelephony })).rejects.toThrow('port in use');
    expect(vi.getTimerCount()).toBe(0);
  });
});
