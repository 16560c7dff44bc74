import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS, FIRST_LIMITS } from '../../domain/account-limits.ts';
import { Quotas } from './quotas.ts';

const account = (limits: Partial<typeof DEFAULT_LIMITS>) => ({
  id: 'a',
  limits: { ...DEFAULT_LIMITS, ...limits },
});

it('R28: records are counted once for many requests, and refused at the limit until some are deleted', async () => {
  vi.useFakeTimers();
  try {
    let stored = 3;
    const usage = vi.fn(async () => stored);
    const quotas = new Quotas({ usage });
    const owner = account({ max_records: 5 });
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(await quotas.refuseRecord(owner)).toMatchObject({ problem: 'quota_reached' });
    expect(usage).toHaveBeenCalledTimes(1);
    stored = 4;
    vi.advanceTimersByTime(1_100);
    expect(await quotas.refuseRecord(owner)).toBeNull();
    expect(usage).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('R28: sounds are refused when they would exceed the limit; without a limit nothing is counted', async () => {
  const usage = vi.fn(async () => 1024 * 1024 - 10);
  const quotas = new Quotas({ usage });
  expect(await quotas.refuseSound(account({ max_recordings_mb: 1 }), 10)).toBeNull();
  expect(await quotas.refuseSound(account({ max_recordings_mb: 1 }), 11)).toMatchObject({
    problem: 'quota_reached',
  });
  usage.mockClear();
  expect(await quotas.refuseSound({ id: 'a', limits: FIRST_LIMITS }, 1e15)).toBeNull();
  expect(await quotas.refuseRecord({ id: 'a', limits: FIRST_LIMITS })).toBeNull();
  expect(usage).not.toHaveBeenCalled();
});
