// Recording within the quotas of an account and the reserve of the disk.
import { expect, it, vi } from 'vitest';
import { recordingBed, recordingFolder } from '../testing/recording-bed.ts';
import { RecordingSpace } from './recording-space.ts';

const folder = recordingFolder();
const codes = (record: { trail?: { code: string }[] }): string[] =>
  (record.trail ?? []).map(({ code }) => code);

it('R28: below the reserve a caller of a voicemail box hears that it is full, and a call is not recorded and says so', async () => {
  const { call, talk, disk, settled, record, recordingRows } = recordingBed(folder.path());
  disk.isLow = true;
  const caller = await call('200');
  caller.remote.listenToEnd();
  await vi.waitFor(() => expect(caller.did.at(-1)).toBe('play apology'));
  caller.remote.hangUp();
  await settled();
  const { caller: talking } = await talk('302');
  talking.remote.speak(2_000);
  talking.remote.hangUp();
  await settled();
  expect(codes(record())).toContain('recording-skipped');
  expect(codes(record())).not.toContain('recording-started');
  expect([recordingRows.rows.size, folder.files()]).toEqual([0, []]);
});

it('R28: a recording under way ends when the reserve is reached, and what was recorded is kept', async () => {
  const { talk, disk, settled, recordingRows } = recordingBed(folder.path());
  const { caller } = await talk('302');
  caller.remote.speak(2_000);
  disk.isLow = true;
  caller.remote.speak(3_000);
  caller.remote.hangUp();
  await settled();
  expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([2_000]);
});

it('R28: an account that has used its space for call recordings records no more until some are deleted', async () => {
  vi.useFakeTimers();
  try {
    let used = 900;
    const usage = vi.fn(async () => used);
    const space = new RecordingSpace({ usage }, { isLow: false });
    expect(space.refusal('a', 'call', 1_000)).toBeNull();
    await vi.advanceTimersByTimeAsync(0);
    expect(space.refusal('a', 'call', 1_000)).toBeNull();
    space.added('a', 'call', 100);
    expect(space.refusal('a', 'call', 1_000)).toBe('quota');
    expect(usage).toHaveBeenCalledTimes(1);
    used = 500;
    await vi.advanceTimersByTimeAsync(2_100);
    // The count is made anew for the next call; this one does not wait for it.
    expect(space.refusal('a', 'call', 1_000)).toBe('quota');
    await vi.advanceTimersByTimeAsync(0);
    expect(space.refusal('a', 'call', 1_000)).toBeNull();
    expect(await space.refusalNow('a', 'voicemail', 400)).toBe('quota');
    used = 100;
    expect(await space.refusalNow('a', 'voicemail', 400)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['of an account with room', 500, 30_000],
  ['of a full account', 1_000, 2_000],
])('a sum %s is reused for so long, and then made anew', async (_, used, reusedMs) => {
  vi.useFakeTimers();
  try {
    const usage = vi.fn(async () => used);
    const space = new RecordingSpace({ usage }, { isLow: false });
    const ask = async () => {
      const refusal = space.refusal('a', 'call', 1_000);
      await vi.advanceTimersByTimeAsync(0);
      return [refusal, usage.mock.calls.length];
    };
    const refusal = used < 1_000 ? null : 'quota';
    await ask();
    await vi.advanceTimersByTimeAsync(reusedMs);
    expect(await ask()).toEqual([refusal, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ask()).toEqual([refusal, 2]);
  } finally {
    vi.useRealTimers();
  }
});

it('by what is stored now: an account that has used exactly its space is full, and so is a disk below its reserve', async () => {
  const disk = { isLow: false };
  const space = new RecordingSpace({ usage: async () => 400 }, disk);
  expect(await space.refusalNow('a', 'voicemail', 400)).toBe('quota');
  expect(await space.refusalNow('a', 'voicemail', 401)).toBeNull();
  disk.isLow = true;
  expect(await space.refusalNow('a', 'voicemail', 401)).toBe('reserve');
  expect(space.refusal('a', 'voicemail', 401)).toBe('reserve');
});
