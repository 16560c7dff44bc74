// Calls that a killed process left in its journal (running-calls.ts): they are recorded at the next start of its node, or of another one
// that has the same folder. A journal of a node that runs is left alone.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../domain/id.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import { referenceText } from '../../kinds/reference.ts';
import type { Clock } from '../../kit/clock.ts';
import { unlessAbsent } from '../../kit/data-folder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { LegRecord } from '../call/ended-leg.ts';
import type { CallEvents } from '../events/call-events.ts';
import type { CallerAnswer, JournalBegin } from './call-journal.ts';
import { type Answer, type CallFacts, type CallResult, NO_RESULT, ownEnd } from './call-record.ts';
import { callRow } from './call-row.ts';
import type { CallEnds } from './record-writer.ts';
import {
  type EndedCall,
  FORMER_JOURNAL_NAME,
  isRunning,
  JOURNAL_NAME,
  type JournalPlace,
} from './running-calls.ts';

/** A journal of a former version is touched every two seconds while calls run: one that was not is of a process that ended. */
const FORMER_QUIET_MS = 6000;

export interface InterruptedParts {
  readonly storage: Pick<Storage, 'saveInterrupted' | 'saveCalls' | 'callsGoingOn'>;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly callEvents: Pick<CallEvents, 'callEnded'>;
  readonly ends: CallEnds;
}

export interface InterruptedCall {
  readonly facts: CallFacts;
  readonly result: CallResult;
}

export interface Recovered {
  /** How many were interrupted, and how many had ended: the process was killed while their records waited for the database. */
  readonly interrupted: number;
  readonly ended: number;
  /** There are journals of a former version whose process may still run. */
  readonly isLater: boolean;
}

/** Ends of interrupted calls are published, too: subscribers have seen the calls begin. */
export async function recordInterruptedCalls(
  place: JournalPlace,
  parts: InterruptedParts,
  ownJournal: string,
): Promise<Recovered> {
  const { calls, ended, done, release, unread, isLater } = await interruptedCalls(place, ownJournal);
  try {
    for (let at = 0; at < ended.length; at += BATCH) {
      const some = ended.slice(at, at + BATCH);
      await parts.storage.saveCalls({
        calls: some.map(({ row }) => row),
        jobs: some.flatMap(({ jobs }) => jobs),
      });
    }
    const over = calls.length > 0 ? await withoutGoingOn(calls, place.node, parts) : [];
    const ids = await saveInterrupted(over, parts);
    await done();
    if (unread.length > 0) throw unread[0];
    return { interrupted: ids.length, ended: ended.length, isLater };
  } finally {
    release();
  }
}

/** Without those that another node has taken over, or that this one will (service/takeover.ts). */
async function withoutGoingOn(
  calls: readonly InterruptedCall[],
  node: string,
  { storage }: Pick<InterruptedParts, 'storage'>,
): Promise<readonly InterruptedCall[]> {
  const going = new Set(await storage.callsGoingOn({ node, ids: calls.map(({ facts }) => facts.id) }));
  return going.size === 0 ? calls : calls.filter(({ facts }) => !going.has(facts.id));
}

/** The ids of those that were not recorded already: a journal lags behind, and another node may have found the same calls. */
export async function saveInterrupted(
  calls: readonly InterruptedCall[],
  { storage, clock, callEvents, ends }: InterruptedParts,
): Promise<string[]> {
  const saved: string[] = [];
  for (let at = 0; at < calls.length; at += BATCH) {
    const some = calls.slice(at, at + BATCH);
    // Event ids only rise: with one of the present time the ends come after all earlier events of the calls.
    newId(clock.epochMs());
    for (const { facts, result } of some) callEvents.callEnded(facts, result);
    const rows = some.map(({ facts, result }) => ({
      call: callRow(facts, result),
      jobs: ends.jobsOf([facts.id]),
    }));
    try {
      saved.push(...(await storage.saveInterrupted({ calls: rows })).ids);
    } finally {
      for (const { call, jobs } of rows) ends.recorded([call.id], jobs);
    }
  }
  return saved;
}

const BATCH = 200;

export interface LeftCalls {
  readonly calls: InterruptedCall[];
  readonly ended: EndedCall[];
  readonly unread: unknown[];
  readonly isLater: boolean;
  done(): Promise<void>;
  /** In any case, at the end. */
  release(): void;
}

/**
 * The calls of nodes that do not run; `done` removes their journals once the calls are recorded. Journals that could not be read stay
 * for the next start: `unread` says why.
 */
export async function interruptedCalls(place: JournalPlace, ownJournal = ''): Promise<LeftCalls> {
  const locks = new Map<string, { release(): void } | null>([[place.node, { release: () => undefined }]]);
  const calls: InterruptedCall[] = [];
  const ended: EndedCall[] = [];
  const read: string[] = [];
  const unread: unknown[] = [];
  let isLater = false;
  for (const name of await readdir(place.folder)) {
    const file = join(place.folder, name);
    const node = JOURNAL_NAME.exec(name)?.[1];
    const pid = Number(FORMER_JOURNAL_NAME.exec(name)?.[1] ?? 0);
    if (name === ownJournal || (node === undefined && pid === 0)) continue;
    try {
      if (node === undefined) {
        const isOver = await isAbandoned(pid, file);
        isLater ||= !isOver;
        if (!isOver) continue;
      } else {
        if (!locks.has(node)) locks.set(node, place.lockNode(node));
        if (!locks.get(node)) continue;
      }
      const found = await callsIn(file);
      calls.push(...found.calls);
      ended.push(...found.ended);
      read.push(file);
    } catch (error) {
      unread.push(error);
    }
  }
  return {
    calls,
    ended,
    unread,
    isLater,
    done: async () => void (await Promise.all(read.map((file) => rm(file, { force: true })))),
    release: () => {
      for (const lock of locks.values()) lock?.release();
    },
  };
}

/** In containers processes of several nodes have the same pid, so the file's time decides, too. */
async function isAbandoned(pid: number, file: string): Promise<boolean> {
  if (pid !== process.pid && isRunning(pid)) return false;
  const touchedMs = (await unlessAbsent(stat(file), null))?.mtimeMs ?? 0;
  return pid !== process.pid || Date.now() - touchedMs > FORMER_QUIET_MS;
}

async function callsIn(file: string): Promise<{ calls: InterruptedCall[]; ended: EndedCall[] }> {
  // Absent: another process that starts at the same moment has recorded them.
  const text = await unlessAbsent(readFile(file, 'utf8'), '');
  const mtimeMs = (await unlessAbsent(stat(file), null))?.mtimeMs ?? 0;
  const left = new Map<string, JournalBegin>();
  const answers = new Map<string, Answer>();
  const ended = new Map<string, EndedCall>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (typeof entry === 'string') {
      left.delete(entry);
      ended.delete(entry);
    } else if (entry && 'ended' in entry) {
      left.delete(entry.ended.id);
      ended.set(entry.ended.id, { row: entry.ended, jobs: entry.jobs });
    } else if (Array.isArray(entry)) {
      const [id, answer] = entry;
      const begun = left.get(id);
      if ('atMs' in answer) answers.set(id, answer);
      else if (begun) left.set(id, { ...begun, ...answer });
    } else if (entry) left.set(entry.id, entry);
  }
  // The last write is the last sign of life of the process and its calls.
  const calls = [...left.values()].map((facts) =>
    interrupted(facts, Math.max(0, mtimeMs - facts.startedAtMs), answers.get(facts.id) ?? null),
  );
  return { calls, ended: [...ended.values()] };
}

interface EndedEntry {
  readonly ended: EndedCall['row'];
  readonly jobs: EndedCall['jobs'];
}

/** A begin, an answer, a record that waits for the database, or the id of a call that is recorded. */
type JournalEntry = JournalBegin | [id: string, answer: Answer | CallerAnswer] | EndedEntry | string;

/** Null if there is no entry, such as the last line of a killed process, which may be cut off. */
function readLine(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as JournalEntry;
    if (typeof entry === 'string' || Array.isArray(entry) || entry === null) return entry;
    if ('ended' in entry) return entry;
    return typeof entry?.startedAtMs === 'number' ? entry : null;
  } catch {
    return null;
  }
}

/** The result knows the begin, the answer and the last sign of life, but no queues and no other phones. */
export function interrupted(facts: JournalBegin, lastedMs: number, answer: Answer | null): InterruptedCall {
  const end = ownEnd('interrupted');
  const durationMs = Math.max(Math.round(lastedMs), answer?.atMs ?? 0);
  const trail = knownTrail(facts, answer);
  trail.push({ atMs: durationMs, node: null, code: 'ended', text: end.text });
  const result = { ...NO_RESULT, end, durationMs, trail, legs: legsOf(facts, durationMs, answer) };
  if (!answer) return { facts, result };
  const { agent, atMs, waitMs, ringMs } = answer;
  const answeredBy = agent?.eid ?? null;
  return { facts, result: { ...result, answeredBy, waitMs, ringMs, talkMs: durationMs - atMs } };
}

/** Its begin and its answer: what was noted of it. */
export function knownTrail({ entry, entryName, caller }: CallFacts, answer: Answer | null): TrailEntry[] {
  const from = caller ?? 'a caller without a number';
  const text = `A call from ${from} to ${entryName ?? entry}.`;
  const begin: TrailEntry = { atMs: 0, node: null, code: 'call-started', text, destination: entry };
  return answer ? [begin, connectedStep(answer)] : [begin];
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
