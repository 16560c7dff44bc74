import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Sweep, startSweeps, sweepsDatabase } from './sweeps.ts';

const MINUTE_MS = 60_000;
let warnings: string[];
const logger = { warn: (_: object, text?: string) => void warnings.push(text ?? '') };
beforeEach(() => {
  warnings = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function sweep(what: string, run: Sweep['run'], changes: Partial<Sweep> = {}): Sweep {
  return { what, everyMs: MINUTE_MS, run, ...changes };
}

it('each sweep runs at its own interval, and only the marked ones at the start', async () => {
  const ran: string[] = [];
  const noted = (what: string, changes?: Partial<Sweep>) =>
    sweep(what, async () => void ran.push(what), changes);
  const stop = startSweeps([noted('a'), noted('b', { everyMs: 3 * MINUTE_MS, atStart: true })], logger);
  await vi.advanceTimersByTimeAsync(0);
  expect(ran).toEqual(['b']);
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  expect(ran).toEqual(['b', 'a', 'a', 'a', 'b']);
  stop();
});

it('one sweep runs at a time, and one that fails is logged and tried again', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const slow: Sweep['run'] = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    running -= 1;
    runs += 1;
    throw new Error('no database');
  };
  const stop = startSweeps([sweep('sessions', slow), sweep('SMS', slow)], logger);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS + 5000);
  expect([most, runs]).toEqual([1, 4]);
  expect(warnings.slice(0, 2)).toEqual([
    'sweep of sessions failed; retrying later',
    'sweep of SMS failed; retrying later',
  ]);
  stop();
});

it('after the stop nothing runs: no interval, no sweep that waits, no further batch', async () => {
  const ran: string[] = [];
  let isStopped: () => boolean = () => false;
  const long: Sweep['run'] = async (stopped) => {
    isStopped = stopped;
    ran.push('long');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  };
  const stop = startSweeps([sweep('a', long), sweep('b', async () => void ran.push('b'))], logger);
  await vi.advanceTimersByTimeAsync(MINUTE_MS + 1);
  stop();
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(ran).toEqual(['long']);
  expect(isStopped()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('of several nodes one sweeps the database, each its own folder, and another takes over', async () => {
  let owner: string | null = null;
  const ran: string[] = [];
  const takeLease = async ({ node }: { node: string }) => {
    owner ??= node;
    return { taken: owner === node };
  };
  const stops = ['a', 'b'].map((node) =>
    startSweeps(
      [
        sweep('database', async () => void ran.push(`${node} database`), { shared: true }),
        sweep('folder', async () => void ran.push(`${node} folder`)),
      ],
      logger,
      () => sweepsDatabase({ takeLease }, { cluster: true, node }),
    ),
  );
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(ran.toSorted()).toEqual(['a database', 'a folder', 'b folder']);
  stops[0]?.();
  owner = null;
  ran.length = 0;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(ran.toSorted()).toEqual(['b database', 'b folder']);
  stops[1]?.();
});

it('without other nodes no lease is taken', async () => {
  const takeLease = (): never => expect.unreachable();
  expect(await sweepsDatabase({ takeLease }, { cluster: false, node: 'a' })).toBe(true);
});
