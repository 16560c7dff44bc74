import { afterEach, expect, it, vi } from 'vitest';
import { StorageError } from './storage.ts';
import { WriteOutcomes } from './write-outcomes.ts';

afterEach(() => void vi.restoreAllMocks());

it('a write is tried after one that failed, and where none is known to have worked', () => {
  const writes = new WriteOutcomes(true);
  expect(writes.mustTry()).toBe(false);
  writes.failed(new StorageError('unavailable', 'away'));
  expect(writes.mustTry()).toBe(true);
  writes.succeeded();
  expect(writes.mustTry()).toBe(false);
  expect(new WriteOutcomes(false).mustTry()).toBe(true);
});

it('a full disk counts as full for a while: the small write that is tried may fit where a record does not', () => {
  const writes = new WriteOutcomes(true);
  const full = new StorageError('full', 'no space');
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  writes.failed(full);
  expect(() => writes.mustTry()).toThrow(full);
  clock.mockReturnValue(4_001);
  expect(writes.mustTry()).toBe(true);
});
