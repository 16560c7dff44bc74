// Recordings across failures: of the process, the disk, the database; and their retention.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { recordingBed, recordingFolder } from '../testing/recording-bed.ts';
import { HEADER_BYTES } from './call-recording-file.ts';
import type { CallRecordingFacts } from './call-recordings.ts';

const folder = recordingFolder();

/** The size of the recording under way. */
const partBytes = (): number => {
  const part = folder.files().find((name) => name.endsWith('.part')) ?? 'none';
  return statSync(folder.path('acme', part)).size;
};

it('a recording of another process is left alone until its file has not changed for a minute', async () => {
  const first = recordingBed(folder.path());
  const caller = await first.atBox();
  caller.remote.speak(2_000);
  await vi.waitFor(() => expect(partBytes()).toBe(HEADER_BYTES + 16_000));
  const note = folder.path('acme', folder.files().find((name) => name.endsWith('.json')) ?? '');
  const made = JSON.parse(readFileSync(note, 'utf8')) as { maker: object };
  const { recordingRows, callRecordings } = recordingBed(folder.path());
  for (const maker of [
    { ...made.maker, pid: process.ppid },
    { ...made.maker, host: 'another' },
  ]) {
    writeFileSync(note, JSON.stringify({ ...made, maker }));
    await callRecordings.recover();
    expect(recordingRows.rows.size).toBe(0);
  }
  const long = new Date(Date.now() - 61_000);
  for (const name of folder.files()) utimesSync(folder.path('acme', name), long, long);
  await callRecordings.recover();
  expect(recordingRows.rows.size).toBe(1);
  caller.remote.hangUp();
  await first.settled();
});

it('onSaved is called again after it failed', async () => {
  const { atBox, callRecordings, settled, recordingRows } = recordingBed(folder.path());
  const saved: string[] = [];
  callRecordings.onSaved(async ({ id }) => {
    saved.push(id);
    if (saved.length === 1) throw new Error('away');
  });
  const caller = await atBox();
  caller.remote.speak(2_000);
  caller.remote.hangUp();
  await settled();
  await callRecordings.recover();
  await callRecordings.recover();
  const [id] = recordingRows.rows.keys();
  expect(saved).toEqual([id, id]);
});

it('a full disk loses what comes after, not what was recorded before', async () => {
  const { atBox, settled, recordingRows, problems } = recordingBed(folder.path());
  const caller = await atBox();
  caller.remote.speak(2_000);
  await vi.waitFor(() => expect(partBytes()).toBe(HEADER_BYTES + 16_000));
  const probe = await open(folder.path('probe'), 'w');
  const writev = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'writev');
  await probe.close();
  rmSync(folder.path('probe'));
  writev.mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  try {
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
  } finally {
    writev.mockRestore();
  }
  expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([2_000]);
  expect(problems).toEqual(['recording cut short: disk failed']);
});

it('a disk that is too slow costs seconds of a recording, not memory, and is reported', async () => {
  const { callRecordings, problems, recordingRows } = recordingBed(folder.path());
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
  const callRecording = callRecordings.begin(facts, 1, { messages: 100, bytes: Number.POSITIVE_INFINITY });
  for (let second = 1; second <= 100; second++) callRecording.wrote(Buffer.alloc(8_000), 0, 0);
  callRecording.ended('stopped');
  expect(await callRecording.outcome).toBe('saved');
  expect(problems).toEqual(['recording has gaps: disk too slow']);
  expect(recordingRows.rows.get('slow')?.durationMs).toBe(60_000);
});

it.each([
  [60, []],
  [61, ['recording has gaps: disk too slow']],
])(
  'of %s seconds that the disk could not take at once, what is lost is reported',
  async (seconds, expected) => {
    const { callRecordings, problems } = recordingBed(folder.path());
    const call = { id: 'call', accountId: 'acme' } as CallRecordingFacts['call'];
    const facts = { id: 'slow', kind: 'call', call, box: null, eid: null, startedAtMs: 0 } as const;
    const callRecording = callRecordings.begin(facts, 1, { messages: 100, bytes: Number.POSITIVE_INFINITY });
    for (let second = 1; second <= seconds; second++) callRecording.wrote(Buffer.alloc(8), 0, 0);
    callRecording.ended('stopped');
    await callRecording.outcome;
    expect(problems).toEqual(expected);
  },
);

it('a recording under way is not taken for one that a killed process left', async () => {
  const { talk, callRecordings, settled, recordingRows, problems, saved } = recordingBed(folder.path());
  const { caller } = await talk('302');
  caller.remote.speak(2_000);
  await vi.waitFor(() => expect(folder.files().length).toBeGreaterThan(0));
  await callRecordings.recover();
  expect(recordingRows.rows.size).toBe(0);
  caller.remote.speak(1_000);
  caller.remote.hangUp();
  await settled();
  expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([3_000]);
  expect([saved.length, problems]).toEqual([1, []]);
});

it('a folder that cannot be written to costs the message, and the caller hears an apology', async () => {
  const { atBox, problems, settled } = recordingBed(folder.path());
  writeFileSync(folder.path('acme'), 'a file where the folder should be');
  const caller = await atBox();
  caller.remote.speak(2_000);
  caller.remote.press('#');
  await settled();
  expect(problems).toContain('recording not written');
  expect(caller.did.at(-1)).toBe('play apology');
  caller.remote.hangUp();
});

it('the retention time is a number of whole days', async () => {
  const { recordingRows, callRecordings } = recordingBed(folder.path());
  recordingRows.settings = { keep_voicemails_days: 7, keep_recordings_days: 30 };
  const list = vi.spyOn(recordingRows, 'listCallRecordings');
  await callRecordings.forgetOld(1e12);
  expect(list.mock.calls.map(([{ kind, toMs }]) => [kind, toMs])).toEqual([
    ['voicemail', 1e12 - 7 * 86_400_000],
    ['call', 1e12 - 30 * 86_400_000],
  ]);
});

it('recordings older than the retention time of their account are deleted, with their files', async () => {
  const { atBox, talk, recordingRows, settled, callRecordings, clock } = recordingBed(folder.path());
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
  expect(folder.files()).toHaveLength(1);
  recordingRows.settings = { keep_recordings_days: 1 };
  await callRecordings.forgetOld(clock.epochMs() + 2 * dayMs);
  expect(folder.files()).toEqual([]);
});

it('R25: sound that cannot be read is kept, and recovered once it can be', async () => {
  const first = recordingBed(folder.path());
  const caller = await first.atBox();
  caller.remote.speak(2_000);
  await vi.waitFor(() => expect(partBytes()).toBe(HEADER_BYTES + 16_000));
  const id = folder.files()[0]?.split('.')[0] ?? '';
  const at = (ending: string): string => folder.path('acme', `${id}.${ending}`);
  const { recordingRows, callRecordings, problems } = recordingBed(folder.path());
  // Paths that fail with another error than ENOENT, also for root: a folder that is read as a file, a link to itself.
  for (const [ending, fails] of [
    ['json', (path: string) => mkdirSync(path)],
    ['part', (path: string) => symlinkSync(path, path)],
  ] as const) {
    renameSync(at(ending), folder.path('aside'));
    fails(at(ending));
    await callRecordings.recover();
    expect(problems.splice(0), ending).toEqual(['recording not recovered; retrying']);
    expect(recordingRows.rows.size).toBe(0);
    rmSync(at(ending), { recursive: true });
    renameSync(folder.path('aside'), at(ending));
  }
  const note = readFileSync(at('json'));
  writeFileSync(at('json'), note.subarray(0, 20));
  await callRecordings.recover();
  expect(problems.splice(0)).toEqual(['recording not recovered; its sound stays on disk']);
  writeFileSync(at('json'), note);
  await callRecordings.recover();
  expect(recordingRows.rows.get(id)?.durationMs).toBe(2_000);
  expect(problems).toEqual([]);
  await callRecordings.settled();
  caller.remote.hangUp();
  await first.settled();
});

it('R25: a note that was cut off before any sound was written is removed', async () => {
  mkdirSync(folder.path('acme'));
  writeFileSync(folder.path('acme', 'short.json'), '{"id":"sho');
  const { callRecordings, problems } = recordingBed(folder.path());
  await callRecordings.recover();
  expect([folder.files(), problems]).toEqual([[], []]);
});

it('no recording is written outside its folder, whatever an account is called (threat T29)', async () => {
  const { callRecordings } = recordingBed(folder.path('inside'));
  const call = {
    id: 'call',
    accountId: '../outside',
    callId: 'x',
    direction: 'inbound',
    caller: null,
    callerName: '',
    dialled: '100',
    entry: 'ivr||x',
    startedAtMs: 0,
  } as const;
  const facts = { id: 'one', kind: 'call', call, box: null, eid: null, startedAtMs: 0 } as const;
  const callRecording = callRecordings.begin(facts, 1, { messages: 100, bytes: Number.POSITIVE_INFINITY });
  callRecording.wrote(Buffer.alloc(8_000), 1_000, 1_000);
  callRecording.ended('stopped');
  expect(await callRecording.outcome).toBe('saved');
  expect(folder.files()).toEqual(['one.wav']);
  expect(existsSync(folder.path('outside'))).toBe(false);
});
