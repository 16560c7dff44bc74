// What is recorded of calls, from the flow to the file: the switchboard on a virtual clock and fake telephones, with real files.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import { AGENT_DEFAULTS, type Agent } from '../../domain/agent.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { CallerIdRules } from '../../domain/caller-id-rule.ts';
import { agentNode } from '../../domain/compile.ts';
import { makeFlow } from '../../flow/flow.ts';
import { aMenu, aVoicemail } from '../../flow/testing/samples.ts';
import type { CallRecordingPage, CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import type { CallRow } from '../../storage/ports/calls.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { FakeTelephony } from '../../telephony/fake/fake-telephony.ts';
import { CallEvents } from '../events/call-events.ts';
import { AgentStates } from '../queues/agent-states.ts';
import { type CallRecordingFacts, CallRecordings } from '../records/call-recordings.ts';
import { callRow } from '../records/call-row.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { Switchboard } from '../switchboard.ts';

const agent = (eid: string, intercom: string, more: Partial<Agent> = {}): Agent => ({
  ...AGENT_DEFAULTS,
  name: `Agent ${intercom}`,
  eid,
  intercom,
  sip: { realm: 'dialtree', md5: '', sha256: '' },
  ...more,
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-captures-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A database in memory, which can be away. */
class RecordingRows {
  readonly rows = new Map<string, CallRecordingRow>();
  isAway = false;
  settings: Partial<Settings> = {};

  async saveCallRecording(row: CallRecordingRow): Promise<void> {
    if (this.isAway) throw new Error('away');
    this.rows.set(row.id, row);
  }

  async listCallRecordings({
    kind,
    toMs = Number.MAX_SAFE_INTEGER,
    limit,
  }: CallRecordingPage): Promise<CallRecordingRow[]> {
    const all = [...this.rows.values()];
    return all.filter((row) => row.kind === kind && row.startedAtMs < toMs).slice(0, limit);
  }

  async countMessages({ box, upTo }: { box: string; upTo: number }): Promise<number> {
    if (this.isAway) throw new Error('away');
    return Math.min(upTo, [...this.rows.values()].filter((row) => row.box === box).length);
  }

  async deleteCallRecording({ id }: { id: string }): Promise<{ found: boolean }> {
    return { found: this.rows.delete(id) };
  }

  async listAccounts() {
    return [{ id: 'acme', name: 'acme', createdAtMs: 0, settings: this.settings }];
  }
}

function world(settings: Partial<Settings> = {}) {
  const agents = [agent('1', '1001'), agent('2', '1002', { record_calls: true })];
  const menu = { option: (keys: string, destination: string) => ({ keys, destination, smsTemplate: null }) };
  const account: AccountRoutes = {
    id: 'acme',
    settings: { ...DEFAULT_SETTINGS, ...settings },
    flow: makeFlow({
      nodes: [
        aMenu('recorded', { recordCalls: true, options: [menu.option('1', 'extension||1')] }),
        aVoicemail('box', { silenceSeconds: 3, maxSeconds: 60 }),
        ...agents.map(agentNode),
      ],
      recordings: [],
    }),
    numbers: new Map([
      ['100', 'ivr||recorded'],
      ['200', 'voicemail||box'],
      ['301', 'extension||1'],
      ['302', 'extension||2'],
    ]),
    agents: new Map(agents.map((each) => [each.eid, each])),
    intercoms: new Map(agents.map((each) => [each.intercom, each])),
    sounds: new Map(),
    trunks: [],
    webhooks: [],
    blocked: new BlockList(),
    callerIds: new CallerIdRules([], () => []),
  };
  const clock = new VirtualClock();
  const rows: CallRow[] = [];
  const errors: unknown[] = [];
  const recordingRows = new RecordingRows();
  const saved: CallRecordingFacts[] = [];
  const problems: string[] = [];
  const callRecordings = new CallRecordings({
    folder,
    storage: recordingRows,
    failed: (_error, what) => void problems.push(what),
  });
  callRecordings.onSaved((_row, facts) => void saved.push(facts));
  const switchboard = new Switchboard({
    routing: { account: () => account, accounts: () => [account], fresh: () => null },
    agentStates: new AgentStates(),
    clock,
    writer: { add: (facts, result) => void rows.push(callRow(facts, result)) },
    callEvents: new CallEvents((error) => void errors.push(error)),
    smsWriter: { queue: () => null },
    callRecordings,
    failed: (error) => void errors.push(error),
    ended: () => undefined,
  });
  const telephony = new FakeTelephony(switchboard);
  switchboard.use(telephony);
  telephony.register('acme/1');
  telephony.register('acme/2');
  const call = async (dialled: string): Promise<FakeLeg> => {
    const leg = await telephony.call(dialled);
    if (!(leg instanceof FakeLeg)) throw new Error(`refused with ${leg.status}`);
    return leg;
  };
  /** To the end of the beep. */
  const atBox = async (): Promise<FakeLeg> => {
    const caller = await call('200');
    caller.remote.listenToEnd();
    await new Promise((resolve) => setImmediate(resolve));
    expect(caller.did.at(-1)).toBe('play beep tone');
    caller.remote.listenToEnd();
    expect(caller.did.at(-1)).toBe('record');
    return caller;
  };
  const talk = async (dialled: string) => {
    const caller = await call(dialled);
    if (dialled === '100') caller.remote.press('1');
    const phone = telephony.dialled.at(-1);
    if (!phone) throw new Error('nobody was dialled');
    phone.remote.answer();
    return { caller, phone };
  };
  const settled = async (): Promise<void> => {
    await callRecordings.settled();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const record = () =>
    JSON.parse(rows.at(-1)?.json ?? '{}') as {
      recording?: string;
      voicemail?: string;
      trail?: { code: string; text: string }[];
    };
  return {
    callRecordings,
    switchboard,
    telephony,
    clock,
    rows,
    errors,
    recordingRows,
    saved,
    problems,
    call,
    atBox,
    talk,
    settled,
    record,
  };
}

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

function wav(id: string): { channels: number; audio: Buffer; claimed: number } {
  const file = readFileSync(join(folder, 'acme', `${id}.wav`));
  return { channels: file.readUInt16LE(22), claimed: file.readUInt32LE(54), audio: file.subarray(58) };
}

describe('a message', () => {
  it('ends with #, is stored, and the caller hears that it was', async () => {
    const { atBox, recordingRows, settled, saved, rows, record } = world();
    const caller = await atBox();
    caller.remote.speak(4_000);
    caller.remote.press('#');
    await settled();
    expect(caller.did.slice(-2)).toEqual(['stop recording', 'play message-saved']);
    caller.remote.listenToEnd();
    await settled();
    const [row] = recordingRows.rows.values();
    expect(row).toMatchObject({
      accountId: 'acme',
      kind: 'voicemail',
      box: 'box',
      caller: '+15550100',
      durationMs: 4_000,
      bytes: 32_058,
      heardAtMs: null,
    });
    expect(rows[0]).toMatchObject({ endCode: 'voicemail-left', id: row?.callId });
    expect(record()).toMatchObject({ voicemail: row?.id, recording: null });
    expect(saved.map(({ id }) => id)).toEqual([row?.id]);
    expect(wav(row?.id ?? '')).toMatchObject({ channels: 1, claimed: 32_000 });
    expect(statSync(join(folder, 'acme', `${row?.id}.wav`)).mode & 0o077).toBe(0);
    expect(files()).toEqual([`${row?.id}.wav`]);
  });

  it('ends with silence, most of which is not kept', async () => {
    const { atBox, recordingRows, settled } = world();
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.sayNothing(5_000);
    await settled();
    expect(caller.did.at(-1)).toBe('play message-saved');
    expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([2_300]);
    caller.remote.hangUp();
  });

  it('is kept when the caller hangs up, and the record waits to tell so', async () => {
    const { atBox, recordingRows, settled, rows, record, switchboard } = world();
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
    expect(rows[0]?.endCode).toBe('voicemail-left');
    expect(record().voicemail).toBe([...recordingRows.rows.keys()][0]);
    expect(switchboard.count).toBe(0);
  });

  it('of a cough is none: nothing is stored, nothing stays on disk', async () => {
    const { atBox, recordingRows, settled, rows, record } = world();
    const caller = await atBox();
    caller.remote.speak(300);
    caller.remote.press('#');
    await settled();
    expect(rows[0]?.endCode).toBe('voicemail-empty');
    expect(record().voicemail).toBeNull();
    expect([...recordingRows.rows]).toEqual([]);
    expect(files()).toEqual([]);
  });

  it('is not taken by a full box: an apology instead of the beep, and the record says why', async () => {
    const { call, atBox, recordingRows, settled, rows, record, callRecordings } = world({
      max_voicemails: 2,
    });
    const first = await atBox();
    const second = await atBox();
    first.remote.speak(2_000);
    first.remote.hangUp();
    await vi.waitFor(() => expect(recordingRows.rows.size).toBe(1));
    const full = await call('200');
    full.remote.listenToEnd();
    await vi.waitFor(() => expect(full.did.at(-1)).toBe('play apology'));
    full.remote.listenToEnd();
    await vi.waitFor(() => expect(rows.at(-1)?.endCode).toBe('voicemail-full'));
    expect(record().trail?.map(({ code }) => code)).toContain('voicemail-full');
    expect(record().voicemail).toBeNull();
    expect(full.did).not.toContain('record');
    // Whoever was speaking already is kept, and a deletion makes room.
    second.remote.speak(2_000);
    second.remote.hangUp();
    await settled();
    expect([recordingRows.rows.size, files().length]).toEqual([2, 2]);
    const [oldest] = recordingRows.rows.values();
    if (oldest) await callRecordings.remove(oldest);
    (await atBox()).remote.hangUp();
  });

  it('is taken where the database does not say whether there is room', async () => {
    const { call, recordingRows, settled } = world({ max_voicemails: 1 });
    recordingRows.countMessages = () => new Promise(() => undefined);
    const caller = await call('200');
    caller.remote.listenToEnd();
    await vi.waitFor(() => expect(caller.did.at(-1)).toBe('play beep tone'), { timeout: 5_000 });
    caller.remote.listenToEnd();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
    expect(recordingRows.rows.size).toBe(1);
  });

  it.each(['before', 'during'])('that ends %s the beep is none either', async (when) => {
    for (const leave of ['press', 'hangUp'] as const) {
      const { call, settled, rows, errors, clock } = world();
      const caller = await call('200');
      caller.remote.listenToEnd();
      if (when === 'during') await new Promise((resolve) => setImmediate(resolve));
      expect(caller.did.includes('play beep tone')).toBe(when === 'during');
      if (leave === 'press') caller.remote.press('#');
      else caller.remote.hangUp();
      await settled();
      expect(rows[0]?.endCode).toBe(leave === 'press' ? 'voicemail-empty' : 'caller-hung-up');
      expect(caller.did).not.toContain('record');
      expect(errors).toEqual([]);
      expect(clock.running).toBe(0);
    }
  });

  it('of somebody who hangs up without a word is none, and the record says so', async () => {
    const { atBox, settled, rows, record, recordingRows } = world();
    const caller = await atBox();
    caller.remote.speak(300);
    caller.remote.hangUp();
    await settled();
    const { trail, voicemail } = record();
    expect(trail?.map(({ code }) => code).slice(-2)).toEqual(['voicemail-empty', 'ended']);
    expect(trail?.at(-1)?.text).toContain('The caller hung up.');
    expect([voicemail, recordingRows.rows.size]).toEqual([null, 0]);
    expect(rows[0]).toMatchObject({ endCode: 'caller-hung-up', cause: 16 });
  });

  it('that a stop of the service cuts off is one all the same', async () => {
    const { atBox, settled, switchboard, record, recordingRows, rows } = world();
    const caller = await atBox();
    caller.remote.speak(2_000);
    switchboard.hangUpAll();
    await settled();
    const { trail, voicemail } = record();
    expect(rows[0]?.endCode).toBe('service-stopped');
    expect(trail?.map(({ code }) => code).slice(-2)).toEqual(['voicemail-saved', 'ended']);
    expect(voicemail).toBe([...recordingRows.rows.keys()][0]);
  });

  it('outlives a database that is away: it is stored as soon as it is back', async () => {
    const { atBox, recordingRows, settled, callRecordings, problems, saved, record } = world();
    recordingRows.isAway = true;
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.press('#');
    await settled();
    expect(caller.did.at(-1)).toBe('play message-saved');
    expect(problems).toHaveLength(1);
    expect(saved).toEqual([]);
    recordingRows.isAway = false;
    await callRecordings.recover();
    expect([...recordingRows.rows.keys()]).toEqual(saved.map(({ id }) => id));
    expect(saved).toHaveLength(1);
    caller.remote.listenToEnd();
    await settled();
    expect(record().voicemail).toBe(saved[0]?.id);
    expect(files()).toHaveLength(1);
  });

  it('whose process died in the middle is finished by the next one', async () => {
    const first = world();
    const caller = await first.atBox();
    caller.remote.speak(2_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(
      files()
        .map((name) => name.slice(-5))
        .sort(),
    ).toEqual(['.json', '.part'].map((end) => end));
    const next = world();
    writeFileSync(join(folder, 'acme', 'half-a-note.json'), '{"id":');
    await next.callRecordings.recover();
    const [row] = next.recordingRows.rows.values();
    expect(row).toMatchObject({ kind: 'voicemail', box: 'box', durationMs: 2_000 });
    expect(wav(row?.id ?? '').claimed).toBe(16_000);
    expect(files()).toEqual([`${row?.id}.wav`]);
    await next.callRecordings.recover();
    expect(next.saved).toHaveLength(1);
    caller.remote.hangUp();
    await first.settled();
    expect(files()).toEqual([`${row?.id}.wav`]);
  });
});

it('what another process still records is left alone, until nobody has touched it for a minute', async () => {
  const first = world();
  const caller = await first.atBox();
  caller.remote.speak(2_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const note = join(folder, 'acme', files().find((name) => name.endsWith('.json')) ?? '');
  const made = JSON.parse(readFileSync(note, 'utf8')) as { maker: object };
  const { recordingRows, callRecordings } = world();
  for (const maker of [
    { ...made.maker, pid: process.ppid },
    { ...made.maker, host: 'another' },
  ]) {
    writeFileSync(note, JSON.stringify({ ...made, maker }));
    await callRecordings.recover();
    expect(recordingRows.rows.size).toBe(0);
  }
  const long = new Date(Date.now() - 61_000);
  for (const name of files()) utimesSync(join(folder, 'acme', name), long, long);
  await callRecordings.recover();
  expect(recordingRows.rows.size).toBe(1);
  caller.remote.hangUp();
  await first.settled();
});

it('who is to be told of a message is told again when that failed', async () => {
  const { atBox, callRecordings, settled, recordingRows } = world();
  const told: string[] = [];
  callRecordings.onSaved(async ({ id }) => {
    told.push(id);
    if (told.length === 1) throw new Error('away');
  });
  const caller = await atBox();
  caller.remote.speak(2_000);
  caller.remote.hangUp();
  await settled();
  await callRecordings.recover();
  await callRecordings.recover();
  const [id] = recordingRows.rows.keys();
  expect(told).toEqual([id, id]);
});

it('a disk that is full costs what comes after, not what was said before', async () => {
  const { atBox, settled, recordingRows, problems } = world();
  const caller = await atBox();
  caller.remote.speak(2_000);
  await vi.waitFor(() => {
    const part = files().find((name) => name.endsWith('.part')) ?? 'none';
    expect(statSync(join(folder, 'acme', part)).size).toBe(58 + 16_000);
  });
  const probe = await open(join(folder, 'probe'), 'w');
  const writev = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'writev');
  await probe.close();
  rmSync(join(folder, 'probe'));
  writev.mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  try {
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
  } finally {
    writev.mockRestore();
  }
  expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([2_000]);
  expect(problems).toEqual(['the disk cut a recording short']);
});

describe('a conversation', () => {
  it('is recorded when it came through a menu that says so, both sides, with notice', async () => {
    const { talk, recordingRows, settled, clock, rows, record } = world();
    const { caller, phone } = await talk('100');
    expect(caller.did.slice(-2)).toEqual(['play notice tone', `record with ${phone.address}`]);
    expect(phone.did).toEqual(['play notice tone']);
    clock.advance(15_000);
    expect(phone.did).toHaveLength(2);
    caller.remote.speak(3_000);
    caller.remote.hangUp();
    await settled();
    const [row] = recordingRows.rows.values();
    expect(row).toMatchObject({ kind: 'call', eid: '1', box: null, durationMs: 3_000 });
    expect(record()).toMatchObject({ recording: row?.id, voicemail: null });
    expect(wav(row?.id ?? '')).toMatchObject({ channels: 2, claimed: 48_000 });
    expect(rows[0]?.json).toContain('recording-started');
    expect(clock.running).toBe(0);
  });

  it('is recorded when its agent says so, without notice where nobody wants it', async () => {
    const { talk, recordingRows, settled } = world({ recording_notice_tone: false });
    const { caller, phone } = await talk('302');
    expect(caller.did.at(-1)).toBe(`record with ${phone.address}`);
    expect(phone.did).toEqual([]);
    caller.remote.speak(1_000);
    phone.remote.hangUp();
    await settled();
    expect([...recordingRows.rows.values()]).toMatchObject([{ kind: 'call', eid: '2' }]);
  });

  it('is not recorded otherwise', async () => {
    const { talk, settled } = world();
    const { caller } = await talk('301');
    expect(caller.isRecorded).toBe(false);
    caller.remote.hangUp();
    await settled();
    expect(files()).toEqual([]);
  });

  it('is listened to by a third, who is hung up with it', async () => {
    const { talk, switchboard, telephony } = world();
    const { caller, phone } = await talk('301');
    const [call] = switchboard.calls;
    const boss = telephony.dial({ kind: 'phones', id: 'acme/2' }, { caller: null, callerName: '' });
    if (!boss) throw new Error('nobody was dialled');
    boss.remote.answer();
    expect(call?.listenIn(boss, 'whisper')).toBe(true);
    expect(boss.listening).toEqual({ target: phone, mode: 'whisper' });
    expect(call?.listenIn(boss, 'barge')).toBe(true);
    expect(call?.legs.callerLeg).toBe(caller);
    const more = Array.from({ length: 10 }, () =>
      telephony.dial({ kind: 'phones', id: 'acme/2' }, { caller: null, callerName: '' }),
    );
    const joined = more.filter((leg) => leg && call?.listenIn(leg, 'monitor'));
    expect(joined).toHaveLength(9);
    more.at(-1)?.hangUp();
    phone.remote.hangUp();
    expect(boss.state).toBe('ended');
    expect(call?.listenIn(boss, 'monitor')).toBe(false);
  });
});

it('a disk that is too slow loses seconds of a recording, never memory, and it is told', async () => {
  const { callRecordings, problems, recordingRows } = world();
  const call = {
    id: 'call',
    accountId: 'acme',
    callId: 'x',
    direction: 'inbound',
    caller: null,
    callerName: '',
    dialled: '100',
    entry: 'ivr||x',
    startedAtMs: 0,
  } as const;
  const facts = { id: 'slow', kind: 'call', call, box: null, eid: null, startedAtMs: 0 } as const;
  const callRecording = callRecordings.begin(facts, 1, 100);
  for (let second = 1; second <= 100; second++) callRecording.wrote(Buffer.alloc(8_000), 0, 0);
  callRecording.ended('stopped');
  expect(await callRecording.outcome).toBe('saved');
  expect(problems).toEqual(['the disk was too slow for a recording']);
  expect(recordingRows.rows.get('slow')?.durationMs).toBe(60_000);
});

it('a folder that cannot be written to costs the message, and the caller is told', async () => {
  const { atBox, problems, settled } = world();
  writeFileSync(join(folder, 'acme'), 'a file where the folder should be');
  const caller = await atBox();
  caller.remote.speak(2_000);
  caller.remote.press('#');
  await settled();
  expect(problems).toContain('a recording could not be written');
  expect(caller.did.at(-1)).toBe('play apology');
  caller.remote.hangUp();
});

it('what is older than its account wants to keep is deleted, the sound too', async () => {
  const { atBox, talk, recordingRows, settled, callRecordings, clock } = world();
  const message = await atBox();
  message.remote.speak(2_000);
  message.remote.hangUp();
  const { caller } = await talk('302');
  caller.remote.speak(2_000);
  caller.remote.hangUp();
  await settled();
  const dayMs = 86_400_000;
  await callRecordings.forgetOld(clock.epochMs() + 1_000 * dayMs);
  expect(recordingRows.rows.size).toBe(2);
  recordingRows.settings = { keep_voicemails_days: 7 };
  await callRecordings.forgetOld(clock.epochMs() + 6 * dayMs);
  expect(recordingRows.rows.size).toBe(2);
  await callRecordings.forgetOld(clock.epochMs() + 8 * dayMs);
  expect([...recordingRows.rows.values()].map(({ kind }) => kind)).toEqual(['call']);
  expect(files()).toHaveLength(1);
  recordingRows.settings = { keep_recordings_days: 1 };
  await callRecordings.forgetOld(clock.epochMs() + 2 * dayMs);
  expect(files()).toEqual([]);
});
