// What a simulated call is given: who calls what and when, what they do, and who answers.

import type { Ref } from '../node.ts';
import { MAX_VALUE } from '../variables.ts';
import { parseDuration, parseScript, type RingStep, readScript, type ScriptStep } from './script.ts';
import { readScriptedAnswer, type ScriptedAnswer } from './scripted-answer.ts';
import { readScriptedStream, type ScriptedStream } from './scripted-stream.ts';

export type AgentBehaviour =
  | Exclude<RingStep, { readonly do: 'busy' }>
  /** For so long after the call began; without a time, throughout. */
  | { readonly do: 'busy'; readonly forMs?: number }
  | { readonly do: 'blocked' }
  /** Calls of departments are not for the agent; others are answered. */
  | { readonly do: 'paused' };

export interface Scenario {
  readonly entry: Ref;
  readonly script?: readonly ScriptStep[];
  /** The wall clock at the start; without it, Monday 5 January 2026, 10:00 UTC. */
  readonly epochMs?: number;
  readonly caller?: string | null;
  readonly seed?: number;
  /** Who does what when rung, by reference; others answer after three seconds. The script comes first. */
  readonly agents?: { readonly [owner: Ref]: AgentBehaviour };
  readonly idleSince?: { readonly [agent: Ref]: number };
  readonly lastRung?: { readonly [department: Ref]: Ref };
  /** How many callers wait in a department's queue before this one. */
  readonly waiting?: { readonly [department: Ref]: number };
  /** Who is signed out of a department: its calls are not offered to them, others are. */
  readonly signedOut?: { readonly [department: Ref]: readonly Ref[] };
  readonly maxEvents?: number;
  /** What the company's system answers, by the request's reference; others get an empty answer. */
  readonly requests?: { readonly [request: Ref]: ScriptedAnswer };
  /** What voice bots do, by the stream's reference; others talk for a while and hang up. */
  readonly streams?: { readonly [stream: Ref]: ScriptedStream };
  /** That the call begins with. */
  readonly variables?: { readonly [name: string]: string };
  readonly dialled?: string;
}

const MOST_WAITING = 1_000;
const YEAR_2200_MS = Date.UTC(2200, 0);

/** A fault of a JSON scenario and the place it is at, as RFC 6901 has it. */
export interface ScenarioFault {
  readonly pointer: string;
  readonly message: string;
}

export type ScenarioReading =
  | { readonly ok: true; readonly scenario: Omit<Scenario, 'entry'> }
  | { readonly ok: false; readonly faults: readonly ScenarioFault[] };

/**
 * Reads the JSON form, all faults at once:
 * `{ "script": "9,wait,1", "at": "2026-12-24T18:00:00Z", "caller": "+4930123", "seed": 1,
 *    "agents": { "extension||7": "busy", "extension||8": "answer 5s" },
 *    "idle_since": { "extension||7": 1766590000000 }, "last_rung": { "department||1": "extension||7" },
 *    "waiting": { "department||1": 2 }, "signed_out": { "department||1": ["extension||8"] },
 *    "variables": { "order": "4711" },
 *    "requests": { "request||1": { "answer": { "choice": "vip" }, "after_ms": 900 } },
 *    "streams": { "stream||1": { "transfer": "extension||7", "after_ms": 2000 } } }`.
 * Every member may be left out, and others are ignored.
 */
export function readScenario(value: unknown): ScenarioReading {
  if (!isObject(value)) return { ok: false, faults: [{ pointer: '', message: 'A scenario is an object.' }] };
  const faults: ScenarioFault[] = [];
  const fault = (pointer: string, message: string): void => void faults.push({ pointer, message });
  const script = readScript(value['script'] ?? '');
  if (!script.ok)
    fault('/script', `At position ${script.fault.position} of the script: ${script.fault.message}`);
  const epochMs = typeof value['at'] === 'string' ? Date.parse(value['at']) : undefined;
  if (value['at'] !== undefined && !(epochMs !== undefined && epochMs >= 0 && epochMs < YEAR_2200_MS)) {
    fault('/at', 'A time is written like 2026-12-24T18:00:00Z and lies between 1970 and 2200.');
  }
  const { caller, seed } = value;
  if (caller !== undefined && caller !== null && typeof caller !== 'string') {
    fault('/caller', 'A caller is text, or null for a caller without a number.');
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) fault('/seed', 'A seed is a whole number.');
  const agents = readMembers(value, 'agents', fault, readBehaviour);
  const idleSince = readMembers(value, 'idle_since', fault, (ms) =>
    typeof ms === 'number' ? ms : 'Idle times are epoch milliseconds.',
  );
  const lastRung = readMembers(value, 'last_rung', fault, (ref) =>
    typeof ref === 'string' ? { ref } : 'The agent rung last is a reference.',
  );
  const waiting = readMembers(value, 'waiting', fault, (count) =>
    Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_WAITING
      ? Number(count)
      : `Callers who wait before this one are a whole number from 0 to ${MOST_WAITING}.`,
  );
  const signedOut = readMembers(value, 'signed_out', fault, (refs) =>
    isTexts(refs) ? refs : 'Who is signed out of a department is a list of references.',
  );
  const requests = readMembers(value, 'requests', fault, readScriptedAnswer);
  const streams = readMembers(value, 'streams', fault, readScriptedStream);
  const variables = readMembers(value, 'variables', fault, readVariable);
  const { dialled } = value;
  if (dialled !== undefined && (typeof dialled !== 'string' || dialled.length > 64))
    fault('/dialled', 'The number that is dialled is text of 64 characters at most.');
  if (!script.ok || faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    scenario: {
      script: script.steps,
      agents,
      idleSince,
      lastRung: Object.fromEntries(
        Object.entries(lastRung).map(([department, { ref }]) => [department, ref]),
      ),
      waiting,
      signedOut,
      ...(value['requests'] === undefined ? {} : { requests }),
      ...(value['streams'] === undefined ? {} : { streams }),
      ...(value['variables'] === undefined
        ? {}
        : {
            variables: Object.fromEntries(Object.entries(variables).map(([name, { text }]) => [name, text])),
          }),
      ...(typeof dialled === 'string' ? { dialled } : {}),
      ...(epochMs === undefined ? {} : { epochMs }),
      ...(caller === null || typeof caller === 'string' ? { caller } : {}),
      ...(typeof seed === 'number' ? { seed } : {}),
    },
  };
}

/** `busy`, `answer 5s`, `blocked` …: the words of the script, or what is wrong with them. */
export function readBehaviour(value: unknown): AgentBehaviour | string {
  const words =
    'An agent does one of answer, answer <time>, busy, busy <time>, unreachable, no-answer, paused, blocked.';
  if (value === 'blocked' || value === 'paused') return { do: value };
  if (typeof value === 'string' && value.startsWith('busy ')) {
    const forMs = parseDuration(value.slice('busy '.length).trim());
    return typeof forMs === 'string' ? forMs : { do: 'busy', forMs };
  }
  const reading = typeof value === 'string' ? parseScript(value) : null;
  const step = reading?.ok && reading.steps.length === 1 ? reading.steps[0] : undefined;
  if (!step || step.do === 'press' || step.do === 'wait' || step.do === 'hang-up') return words;
  return step;
}

function readVariable(value: unknown): { readonly text: string } | string {
  const isText = typeof value === 'string' && value.length <= MAX_VALUE;
  return isText ? { text: value } : `A variable is text of ${MAX_VALUE} characters at most.`;
}

/** An object read member by member; `read` answers the value, or in text what is wrong with it. */
function readMembers<T extends object | number>(
  value: Record<string, unknown>,
  member: string,
  fault: (pointer: string, message: string) => void,
  read: (item: unknown) => T | string,
): { [key: string]: T } {
  const items = value[member] ?? {};
  if (!isObject(items)) {
    fault(`/${member}`, 'This is an object by reference.');
    return {};
  }
  const entries: [string, T][] = [];
  for (const [key, item] of Object.entries(items)) {
    const result = read(item);
    if (typeof result !== 'string') entries.push([key, result]);
    else fault(`/${member}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, result);
  }
  return Object.fromEntries(entries);
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
