// Calls that a killed process left in its journal (running-calls.ts): they are recorded at the next start.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { unlessAbsent } from '../../data-folder.ts';
import { newId } from '../../domain/id.ts';
import { referenceText } from '../../domain/reference.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import type { Storage } from '../../storage/storage.ts';
import type { LegRecord } from '../call/ended-leg.ts';
import type { CallEvents } from '../events/call-events.ts';
import { type Answer, type CallFacts, type CallResult, NO_RESULT, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';
import type { CallEnds } from './record-writer.ts';
import { type CallerAnswer, isRunning, JOURNAL_NAME, type JournalBegin } from './running-calls.ts';

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
  const left = new Map<string, JournalBegin>();
  const answers = new Map<string, Answer>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (typeof entry === 'string') left.delete(entry);
    else if (Array.isArray(entry)) {
      const [id, answer] = entry;
      const begun = left.get(id);
      if ('atMs' in answer) answers.set(id, answer);
      else if (begun) left.set(id, { ...begun, ...answer });
    } else if (entry) left.set(entry.id, entry);
  }
  // The last write is the last sign of life of the process and its calls.
  return [...left.values()].map((facts) =>
    interrupted(facts, Math.max(0, mtimeMs - facts.startedAtMs), answers.get(facts.id) ?? null),
  );
}

/** A begin, an answer, or the id of a call that is recorded. */
type JournalEntry = JournalBegin | [id: string, answer: Answer | CallerAnswer] | string;

/** Null: no entry, such as the last line of a killed process, which may be cut off. */
function readLine(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as JournalEntry;
    if (typeof entry === 'string' || Array.isArray(entry)) return entry;
    return typeof entry?.startedAtMs === 'number' ? entry : null;
  } catch {
    return null;
  }
}

/** Of such a call its begin, its answer and the last sign of life are known; of its queues and other phones nothing. */
function interrupted(facts: JournalBegin, lastedMs: number, answer: Answer | null): InterruptedCall {
  const { entry, entryName, caller } = facts;
  const from = caller ?? 'a caller without a number';
  const text = `A call from ${from} to ${entryName ?? entry}.`;
  const end = ownEnd('interrupted');
  const durationMs = Math.max(Math.round(lastedMs), answer?.atMs ?? 0);
  const trail: TrailEntry[] = [{ atMs: 0, node: null, code: 'call-started', text, destination: entry }];
  if (answer) trail.push(connectedStep(answer));
  trail.push({ atMs: durationMs, node: null, code: 'ended', text: end.text });
  const result = { ...NO_RESULT, end, durationMs, trail, legs: legsOf(facts, durationMs, answer) };
  if (!answer) return { facts, result };
  const { agent, atMs, waitMs, ringMs } = answer;
  const answeredBy = agent?.eid ?? null;
  return { facts, result: { ...result, answeredBy, waitMs, ringMs, talkMs: durationMs - atMs } };
}

function connectedStep({ atMs, agent, number }: Answer): TrailEntry {
  const node = agent ? referenceText('extension', agent.eid) : referenceText('number', number);
  return { atMs, node, code: 'connected', text: `${number} answered: both sides are connected.` };
}

function legsOf(
  { caller, callerAnsweredMs = null }: JournalBegin,
  endedMs: number,
  answer: Answer | null,
): LegRecord[] {
  const { text, cause } = ownEnd('interrupted');
  const leg = (answeredMs: number | null): Omit<LegRecord, 'role' | 'number' | 'agent'> => ({
    beganMs: 0,
    rangMs: null,
    answeredMs,
    endedMs,
    end: { by: 'us', outcome: answeredMs === null ? 'failed' : 'ended', cause, status: null, text },
    statistics: null,
  });
  const legs: LegRecord[] = [
    {
      role: 'caller',
      number: caller ?? '',
      agent: null,
      ...leg(answer?.callerAnsweredMs ?? callerAnsweredMs),
    },
  ];
  if (!answer) return legs;
  const { atMs, number, agent, leg: times = { beganMs: atMs, rangMs: null } } = answer;
  legs.push({ role: 'called', number, agent, ...leg(atMs), ...times });
  return legs;
}
