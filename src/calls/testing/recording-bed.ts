// Whole calls that are recorded: the test bed with real files and a database in memory.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { makeFlow } from '../../flow/flow.ts';
import { aMenu, aVoicemail } from '../../flow/testing/samples.ts';
import { agentNode } from '../../kinds/nodes.ts';
import type {
  CallRecordingPage,
  CallRecordingRow,
  SoundRemoval,
} from '../../storage/ports/call-recordings.ts';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { type CallRecordingFacts, CallRecordings } from '../records/call-recordings.ts';
import { ownFolder, type RecordedSoundParts } from '../records/recorded-sound.ts';
import { accountRoutes, agentRecord, callBed, lastDialled } from './call-bed.ts';

/** A database in memory, which can be made unavailable. */
class RecordingRows {
  readonly rows = new Map<string, CallRecordingRow>();
  removals: SoundRemoval[] = [];
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

  async deleteCallRecording({ id, soundAt }: { id: string; soundAt?: string }): Promise<{ found: boolean }> {
    const accountId = this.rows.get(id)?.accountId ?? '';
    if (soundAt !== undefined) this.removals.push({ place: soundAt, accountId, id });
    return { found: this.rows.delete(id) };
  }

  async listSoundRemovals({ places }: { places: readonly string[] }): Promise<SoundRemoval[]> {
    return this.removals.filter(({ place }) => places.includes(place));
  }

  async dropSoundRemovals({ removals }: { removals: readonly SoundRemoval[] }): Promise<void> {
    this.removals = this.removals.filter((removal) => !removals.includes(removal));
  }

  async usage({ of }: { of: string }): Promise<number> {
    const kind = of === 'voicemail' ? 'voicemail' : 'call';
    return [...this.rows.values()]
      .filter((row) => row.kind === kind)
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async listAccounts() {
    const account = { id: 'acme', name: 'acme', createdAtMs: 0 };
    return [{ ...account, settings: this.settings, limits: DEFAULT_LIMITS }];
  }
}

/** Makes a folder for each test of the calling file, and removes it after the test. */
export function recordingFolder() {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-recordings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    path: (...names: string[]): string => join(folder, ...names),
    files: (): string[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    wav: (id: string): { channels: number; audio: Buffer; claimed: number } => {
      const file = readFileSync(join(folder, 'acme', `${id}.wav`));
      return { channels: file.readUInt16LE(22), claimed: file.readUInt32LE(54), audio: file.subarray(58) };
    },
  };
}

export const hearsBeep = (caller: FakeLeg): Promise<void> =>
  vi.waitFor(() => expect(caller.did.at(-1)).toBe('play beep tone'));

/** 100: a menu that records, 200: a voicemail box, 301: agent 1, 302: agent 2, whose calls are recorded. */
export function recordingBed(
  folder: string,
  settings: Partial<Settings> = {},
  sound: Partial<RecordedSoundParts> = {},
) {
  const agents = [agentRecord('1', '1001'), agentRecord('2', '1002', { record_calls: true })];
  const options = [{ keys: '1', destination: 'extension||1', smsTemplate: null }];
  const account = accountRoutes(
    {
      settings: { ...DEFAULT_SETTINGS, ...settings },
      flow: makeFlow({
        nodes: [
          aMenu('recorded', { recordCalls: true, options }),
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
    },
    agents,
  );
  const recordingRows = new RecordingRows();
  const disk = { isLow: false };
  const saved: CallRecordingFacts[] = [];
  const problems: string[] = [];
  const callRecordings = new CallRecordings({
    sound: { ...ownFolder(folder, recordingRows), ...sound },
    storage: recordingRows,
    disk,
    failed: (_error, what) => void problems.push(what),
  });
  callRecordings.onSaved((_row, facts) => void saved.push(facts));
  const bed = callBed(() => account, callRecordings);
  const { telephony, rows, call } = bed;
  telephony.register('acme/1');
  telephony.register('acme/2');
  /** To the end of the beep. */
  const atBox = async (): Promise<FakeLeg> => {
    const caller = await call('200');
    caller.remote.listenToEnd();
    await hearsBeep(caller);
    caller.remote.listenToEnd();
    expect(caller.did.at(-1)).toBe('record');
    return caller;
  };
  const talk = async (dialled: string) => {
    const caller = await call(dialled);
    if (dialled === '100') caller.remote.press('1');
    const phone = lastDialled(telephony);
    phone.remote.answer();
    return { caller, phone };
  };
  /** All recordings have an outcome, and the calls have seen it. */
  const settled = async (): Promise<void> => {
    await callRecordings.settled();
    for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  const record = () =>
    JSON.parse(rows.at(-1)?.json ?? '{}') as {
      recording?: string;
      voicemail?: string;
      trail?: { code: string; text: string }[];
      legs?: { role: string }[];
    };
  return { ...bed, callRecordings, recordingRows, disk, saved, problems, atBox, talk, settled, record };
}
