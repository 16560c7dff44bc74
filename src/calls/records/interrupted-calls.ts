// Calls that a killed process left in its journal (running-calls.ts): they are recorded at the next start.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { unlessAbsent } from '../../data-folder.ts';
import { newId } from '../../domain/id.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CallEvents } from '../events/call-events.ts';
import { type CallFacts, type CallResult, NO_RESULT, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';
import type { CallEnds } from './record-writer.ts';
import { isRunning, JOURNAL_NAME } from './running-calls.ts';

export interface InterruptedParts {
  readonly storage: Pick<Storage, 'getCall' | 'saveCalls'>;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly callEvents: Pick<CallEvents, 'callEnded'>;
  readonly ends: CallEnds;
}

export interface InterruptedCall {
  readonly facts: CallFacts;
  readonly result: CallResult;
}

/** How many there were. Their ends are published, too: subscribers have seen the calls begin. */
export async function recordInterruptedCalls(
  folder: string,
  parts: InterruptedParts,
  ownJournal: string,
): Promise<number> {
  const { calls, done, unread } = await interruptedCalls(folder, ownJournal);
  if (calls.length > 0) await save(calls, parts);
  await done();
  if (unread.length > 0) throw unread[0];
  return calls.length;
}

async function save(
  calls: readonly InterruptedCall[],
  { storage, clock, callEvents, ends }: InterruptedParts,
): Promise<void> {
  // The journal lags behind: some calls are recorded already, and their ends published.
  const stored = await Promise.all(
    calls.map(({ facts: { accountId, id } }) => storage.getCall({ accountId, id })),
  );
  const left = calls.filter((_, index) => stored[index] === null);
  const ids = left.map(({ facts }) => facts.id);
  // Event ids only rise: with one of the present time the ends come after all earlier events of the calls.
  newId(clock.epochMs());
  for (const { facts, result } of left) callEvents.callEnded(facts, result);
  const jobs = ends.jobsOf(ids);
  try {
    await storage.saveCalls({ calls: left.map(({ facts, result }) => callRow(facts, result)), jobs });
  } finally {
    ends.recorded(ids, jobs);
  }
}

/**
 * Of processes that no longer run; `done` removes their journals once the calls are recorded. Journals that could not be read stay
 * for the next start: `unread` says why.
 */
export async function interruptedCalls(
  folder: string,
  ownJournal = '',
): Promise<{ calls: InterruptedCall[]; unread: unknown[]; done(): Promise<void> }> {
  const names = (await readdir(folder)).filter(
    (name) => name !== ownJournal && isAbandoned(Number(JOURNAL_NAME.exec(name)?.[1] ?? 0)),
  );
  const calls: InterruptedCall[] = [];
  const read: string[] = [];
  const unread: unknown[] = [];
  for (const file of names.map((name) => join(folder, name)))
    try {
      calls.push(...(await callsIn(file)));
      read.push(file);
    } catch (error) {
      unread.push(error);
    }
  return {
    calls,
    unread,
    done: async () => void (await Promise.all(read.map((file) => rm(file, { force: true })))),
  };
}

/** In a container every process has the same pid: another journal with ours is that of an earlier process. */
function isAbandoned(pid: number): boolean {
  return pid > 0 && (pid === process.pid || !isRunning(pid));
}

async function callsIn(file: string): Promise<InterruptedCall[]> {
  // Absent: another process that starts at the same moment has recorded them.
  const text = await unlessAbsent(readFile(file, 'utf8'), '');
  const mtimeMs = (await unlessAbsent(stat(file), null))?.mtimeMs ?? 0;
  const left = new Map<string, CallFacts>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (typeof entry === 'string') left.delete(entry);
    else if (entry) left.set(entry.id, entry);
  }
  // The last write is the last sign of life of the process and its calls.
  return [...left.values()].map((facts) => interrupted(facts, Math.max(0, mtimeMs - facts.startedAtMs)));
}

/** Null: no entry, such as the last line of a killed process, which may be cut off. */
function readLine(line: string): CallFacts | string | null {
  try {
    const entry = JSON.parse(line) as CallFacts | string;
    return typeof entry === 'string' || typeof entry?.startedAtMs === 'number' ? entry : null;
  } catch {
    return null;
  }
}

function interrupted(facts: CallFacts, lastedMs: number): InterruptedCall {
  const { entry } = facts;
  const end = ownEnd('interrupted');
  const durationMs = Math.round(lastedMs);
  const trail = [
    { atMs: 0, node: null, code: 'call-started', text: `A call to ${entry}.`, destination: entry },
    { atMs: durationMs, node: null, code: 'ended', text: end.text },
  ] as const;
  return { facts, result: { ...NO_RESULT, end, durationMs, trail } };
}
