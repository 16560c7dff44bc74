// Two weeks of calls to Lotus Travel: each of them is a real run of the flow by the simulator, written down as a live call would be.

import { randomFrom } from '../../../bench/made-calls.ts';
import { ownEnd } from '../../../src/calls/records/call-record.ts';
import { callRow } from '../../../src/calls/records/call-row.ts';
import { wholeAccount } from '../../../src/cli/stored-records.ts';
import { newId } from '../../../src/domain/id.ts';
import { simulate } from '../../../src/flow/simulate.ts';
import { parseScript } from '../../../src/flow/simulation/script.ts';
import type { Trace } from '../../../src/flow/simulation/trace.ts';
import type { StoredAccount } from '../../../src/storage/ports/accounts.ts';
import type { CallRow } from '../../../src/storage/ports/calls.ts';
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { storeCallRecording } from '../../support/call-recording-rows.ts';
import type { Service } from '../../support/service.ts';
import type { Company } from './company.ts';

/** What callers do, and how many of a hundred. */
const HABITS: readonly (readonly [share: number, script: string, talks: boolean])[] = [
  [22, '1@6s,1@4s,answer 6s', true],
  [12, '2@5s,answer 9s', true],
  [9, '3@7s,answer 4s', true],
  [8, '0@3s,answer 5s', true],
  [7, '1@5s,2@8s,no-answer,answer 7s', true],
  [6, '8@6s,1@3s,1@2s,answer 5s', true],
  [5, '7@4s,9@3s', false],
  [6, 'wait,1@4s,1@3s,answer 4s', true],
  [5, 'wait,wait,answer 8s', true],
  [8, '1@9s,hangup', false],
  [10, 'hangup', false],
  [5, 'wait,hangup', false],
  [4, '2@6s,no-answer,no-answer,no-answer,no-answer', false],
  [3, '42@5s,1@6s', false],
];
const CALLERS = ['Fam. Schäfer', '', '', 'Dr. Nkosi', '', 'Bäckerei Blum', '', 'Priya S.', '', ''];
const DAY_MS = 86_400_000;

export interface PastOptions {
  readonly calls?: number;
  readonly nowMs?: number;
}

/** The ids, oldest first. */
export async function fillPast(
  service: Pick<Service, 'dataDir'>,
  company: Company,
  { calls = 400, nowMs = Date.now() }: PastOptions = {},
): Promise<string[]> {
  const storage = await openSqlite(service.dataDir);
  try {
    const [account] = await storage.listAccounts();
    if (!account) throw new Error('There is no account to fill.');
    const rows = await rowsOf(storage, account, company, calls, nowMs);
    for (let from = 0; from < rows.length; from += 100)
      await storage.saveCalls({ calls: rows.slice(from, from + 100) });
    await fillCallRecordings(storage, service.dataDir, account.id, company, rows);
    return rows.map(({ id }) => id);
  } finally {
    await storage.close();
  }
}

async function rowsOf(
  storage: Storage,
  account: StoredAccount,
  company: Company,
  count: number,
  nowMs: number,
): Promise<CallRow[]> {
  const { flow } = await wholeAccount(storage, account);
  const random = randomFrom(7);
  const entry = `ivr||${company.menus.welcome}` as const;
  const rows: CallRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAtMs = Math.round(momentOf(random, nowMs));
    const [, script, talks] = habitOf(random);
    const steps = parseScript(script);
    if (!steps.ok) throw new Error(steps.fault.message);
    const number = Math.floor(random() ** 2 * 90);
    const caller = `+4930${String(7_000_000 + number * 1373)}`;
    const trace = simulate(flow, { entry, script: steps.steps, epochMs: startedAtMs, caller, seed: index });
    const talkMs =
      talks && trace.outcome.kind === 'connected' ? Math.round(20_000 + random() ** 2 * 700_000) : 0;
    const facts = {
      id: newId(startedAtMs),
      accountId: account.id,
      callId: `${index.toString(36)}-lotus@192.0.2.10`,
      direction: 'inbound' as const,
      caller,
      callerName: CALLERS[number % CALLERS.length] ?? '',
      dialled: company.numbers.direct,
      entry,
      startedAtMs,
    };
    rows.push(callRow(facts, { ...resultOf(trace, talkMs), ...fateOf(index, talkMs) }));
  }
  return rows.sort((one, other) => one.startedAtMs - other.startedAtMs);
}

/** In the last two weeks, by day, more of them in the morning. */
function momentOf(random: () => number, nowMs: number): number {
  for (;;) {
    const ms = nowMs - random() * 14 * DAY_MS;
    const hour = new Date(ms).getUTCHours();
    const busy = hour < 7 || hour > 18 ? 0.06 : hour < 12 ? 1 : 0.6;
    const weekend = [0, 6].includes(new Date(ms).getUTCDay()) ? 0.25 : 1;
    if (random() < busy * weekend) return ms;
  }
}

function habitOf(random: () => number): (typeof HABITS)[number] {
  let left = random() * HABITS.reduce((sum, [share]) => sum + share, 0);
  for (const habit of HABITS) {
    left -= habit[0];
    if (left <= 0) return habit;
  }
  throw new Error('There are no habits.');
}

/** What now and then becomes of a call that the simulator does not know of. */
function fateOf(index: number, talkMs: number): Partial<Parameters<typeof callRow>[1]> {
  if (index % 29 === 5 && talkMs > 0)
    return {
      end: ownEnd('transferred'),
      transferredTo: { callId: newId(0), by: { kind: 'agent', id: '2101', name: 'Leo Brandt' } },
    };
  if (index % 61 === 7) return { end: ownEnd('operator-hung-up') };
  if (index % 67 === 9)
    return { end: ownEnd('caller-blocked'), answeredBy: null, ringMs: 0, talkMs: 0, trail: [], legs: [] };
  return {};
}

function resultOf(trace: Trace, talkMs: number): Parameters<typeof callRow>[1] {
  const { outcome, steps, durationMs } = trace;
  const connected = outcome.kind === 'connected';
  const rang = steps.find(({ code }) => code === 'ringing')?.atMs ?? durationMs;
  const code = connected ? 'agent-hung-up' : outcome.reason === 'unfinished' ? 'call-limit' : outcome.reason;
  const end = {
    code: code as 'agent-hung-up',
    cause: 16,
    word: 'normal-clearing',
    text: connected ? 'The called side hung up.' : outcome.text,
  };
  const statistics = {
    packetsSent: Math.round((durationMs + talkMs) / 20),
    packetsReceived: Math.round((durationMs + talkMs) / 20) - 3,
    packetsLost: 3,
    jitterMs: 1.8,
    bufferMs: 0,
    packetsLate: 0,
    oneWay: false,
    encryption: { by: 'none' },
  };
  const leg = (role: string, number: string): object => ({
    role,
    number,
    agent: role === 'caller' ? null : answerer(trace),
    beganMs: role === 'caller' ? 0 : rang,
    rangMs: role === 'caller' ? null : rang,
    answeredMs: role === 'caller' ? 0 : durationMs,
    endedMs: durationMs + talkMs,
    end: { by: 'peer', outcome: 'ended', status: 0, cause: 16, text: '' },
    statistics,
  });
  return {
    end,
    durationMs: durationMs + talkMs,
    answeredBy: connected ? (outcome.destination?.split('||')[1] ?? null) : null,
    transferredTo: null,
    waitMs: 0,
    ringMs: connected || outcome.reason === 'no-answer' ? Math.max(0, durationMs - rang) : 0,
    talkMs,
    queueMs: 0,
    trail: steps,
    events: trace.events,
    legs: [leg('caller', '030'), ...(connected ? [leg('called', '2101')] : [])] as never,
    recording: null,
    voicemail: null,
    ...NEWER,
  };
}

function answerer({ outcome: { destination }, names }: Trace): { eid: string; name: string } | null {
  if (!destination?.startsWith('extension||')) return null;
  return { eid: destination.slice('extension||'.length), name: names[destination] ?? '' };
}

/** What records have had since calls keep their messages. */
const NEWER = { keys: [], ladder: { lines: [], leftOut: 0 } };

async function fillCallRecordings(
  storage: Storage,
  dataDir: string,
  accountId: string,
  company: Company,
  rows: readonly CallRow[],
): Promise<void> {
  for (const [index, row] of rows.slice(-6).entries())
    await storeCallRecording(storage, dataDir, {
      accountId,
      id: `message-${index}`,
      callId: row.id,
      box: company.box,
      caller: row.caller,
      callerName: CALLERS[index] ?? '',
      dialled: row.dialled,
      startedAtMs: row.startedAtMs,
      heardAtMs: index < 2 ? row.endedAtMs : null,
      place: null,
    });
}
