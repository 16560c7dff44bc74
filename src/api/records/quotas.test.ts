import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS, FIRST_LIMITS } from '../../domain/account-limits.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import type { PromptPlace, PromptSounds } from '../../storage/ports/usage.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { Quotas } from './quotas.ts';
import { putRecording } from './recording.ts';

const account = (limits: Partial<typeof DEFAULT_LIMITS>) => ({
  id: 'a',
  limits: { ...DEFAULT_LIMITS, ...limits },
});

const LAST: PromptPlace = { of: 'former', id: 'r', version: 1 };

/** Prompts in two parts, the second of which repeats the sound of the first. */
function stored(bytes: number) {
  const state = { bytes, records: 3, revision: 1, partMs: 0 };
  const usage = vi.fn(async () => state.records);
  const promptSounds = vi.fn(async ({ after }: { after: PromptPlace | null }): Promise<PromptSounds> => {
    const counted = state.bytes;
    if (state.partMs > 0) await new Promise((resolve) => setTimeout(resolve, state.partMs));
    return { sounds: [{ sha256: 'a', bytes: counted }], next: after ? null : LAST };
  });
  const revisions = vi.fn(async () => [state.revision]);
  const configurationBytes = vi.fn(async () => ({ bytes: state.bytes, next: null }));
  const quotas = new Quotas({ usage, promptSounds, configurationBytes, revisions });
  return { state, usage, promptSounds, configurationBytes, quotas };
}

it('R28: records are counted once for many requests, and refused at the limit until some are deleted', async () => {
  vi.useFakeTimers();
  try {
    const { state, usage, quotas } = stored(0);
    const owner = account({ max_records: 5 });
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(await quotas.refuseRecord(owner)).toMatchObject({ problem: 'quota_reached' });
    expect(usage).toHaveBeenCalledTimes(1);
    state.records = 4;
    vi.advanceTimersByTime(1_100);
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(usage).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('R28: sounds are refused when they would exceed the limit; without a limit nothing is counted', async () => {
  const MB = 1024 * 1024;
  const { usage, promptSounds, quotas } = stored(MB - 10);
  const owner = account({ max_recordings_mb: 1 });
  expect(await quotas.refuseSound(owner, 0)).toBeNull();
  expect(await quotas.refuseSound(owner, 11)).toMatchObject({ problem: 'quota_reached' });
  expect(promptSounds).toHaveBeenCalledTimes(2);
  expect(await quotas.refuseSound(owner, 10)).toBeNull();
  const full = stored(MB);
  expect(await full.quotas.refuseSound(owner, 0)).toMatchObject({ problem: 'quota_reached' });
  promptSounds.mockClear();
  expect(await quotas.refuseSound({ id: 'a', limits: FIRST_LIMITS }, 1e15)).toBeNull();
  expect(await quotas.refuseRecord({ id: 'a', limits: FIRST_LIMITS })).toBeNull();
  expect(usage).not.toHaveBeenCalled();
  expect(promptSounds).not.toHaveBeenCalled();
});

it('T76: records and versions are refused when their bytes would exceed the limit, and what to do is said', async () => {
  const MB = 1024 * 1024;
  const { configurationBytes, quotas } = stored(MB - 10);
  const owner = account({ max_configuration_mb: 1 });
  expect(await quotas.refuseBytes(owner, 'é'.repeat(6))).toMatchObject({
    problem: 'quota_reached',
    message: expect.stringContaining('erase them for good'),
  });
  expect(await quotas.refuseBytes(owner, 'é'.repeat(5))).toBeNull();
  expect(await quotas.refuseBytes({ id: 'a', limits: FIRST_LIMITS }, 'x'.repeat(MB))).toBeNull();
  expect(configurationBytes).toHaveBeenCalledTimes(1);
});

it('T37: 16 requests at once for what is used read the prompts once, and later ones not before a change', async () => {
  const { state, usage, promptSounds, quotas } = stored(700);
  const answers = await Promise.all(Array.from({ length: 16 }, () => quotas.used('a')));
  expect(answers).toEqual(
    Array(16).fill({
      records: 3,
      configuration_bytes: 700,
      recordings_bytes: 700,
      voicemail_bytes: 3,
      call_recordings_bytes: 3,
    }),
  );
  expect([promptSounds.mock.calls.length, usage.mock.calls.length]).toEqual([2, 3]);
  await quotas.used('a');
  expect(promptSounds).toHaveBeenCalledTimes(2);
  state.revision = 2;
  state.bytes = 900;
  await expect.poll(async () => (await quotas.used('a'))['recordings_bytes']).toBe(900);
  await quotas.used('b');
  expect(promptSounds).toHaveBeenCalledTimes(6);
});

it('T37: an account that changes something before each request is counted a tenth of the time', async () => {
  vi.useFakeTimers();
  try {
    const { state, promptSounds, quotas } = stored(700);
    state.partMs = 500;
    const owner = account({ max_recordings_mb: 1 });
    const first = quotas.used('a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await first).toMatchObject({ recordings_bytes: 700 });
    for (let second = 0; second < 9; second++) {
      state.revision += 1;
      await quotas.used('a');
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(await quotas.refuseSound(owner, 300)).toBeNull();
    // What was accepted counts though the count is an older one.
    expect(await quotas.used('a')).toMatchObject({ recordings_bytes: 1_000 });
    expect(promptSounds).toHaveBeenCalledTimes(2);
    state.bytes = 1_100;
    await vi.advanceTimersByTimeAsync(1_000);
    const later = quotas.used('a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await later).toMatchObject({ recordings_bytes: 1_100 });
  } finally {
    vi.useRealTimers();
  }
});

it('T37: a count that fails is made anew for the next request', async () => {
  const { promptSounds, quotas } = stored(700);
  promptSounds.mockRejectedValueOnce(new Error('no database'));
  await expect(quotas.used('a')).rejects.toThrow('no database');
  expect(await quotas.used('a')).toMatchObject({ recordings_bytes: 700 });
});

it('T37: a recording that is changed without a new sound asks for no quota', async () => {
  const { promptSounds, quotas } = stored(700);
  const json = JSON.stringify({ ...DEFAULTS.recording, name: 'old', sha256: 'a', duration_ms: 1_000 });
  const getRecord = async () => ({ id: 'r', version: 1, createdAtMs: 1, updatedAtMs: 1, json });
  const updateRecord = vi.fn(async () => ({ outcome: 'updated', version: 2 }));
  const request = {
    params: { id: 'r' },
    query: {},
    headers: {},
    body: { value: { name: 'new' }, bytes: Buffer.alloc(0) },
    account: account({}),
    nowMs: 1,
  } as unknown as ApiRequest;
  const context = { quotas, storage: { getRecord, updateRecord } } as unknown as ApiContext;
  expect(await putRecording(request, context)).toMatchObject({ status: 200 });
  expect(updateRecord).toHaveBeenCalledTimes(1);
  expect(promptSounds).not.toHaveBeenCalled();
});
