// What is wrong with an account right now: by code, with what it concerns. What makes callers lose calls is an error.
import { type Finding, type LintCode, SETTINGS_NODE } from '../flow/lint/finding.ts';
import { type Ref, referenceTo } from '../flow/node.ts';
import { isPrivate, parseNetwork } from '../kinds/network.ts';
import { referenceText } from '../kinds/reference.ts';
import { type AgentState, workState } from './agent-state.ts';

/** THE TABLE of codes. `error`: callers lose calls, or do not hear what they should. */
export const HEALTH_CODES = {
  'telephones-off': 'error',
  'records-not-written': 'error',
  'node-unanswered': 'error',
  'trunk-unregistered': 'error',
  'trunk-unreachable': 'error',
  'trunk-addresses-unused': 'warning',
  'number-missing': 'warning',
  'department-unanswered': 'error',
  'agents-without-phones': 'warning',
  'disk-full': 'error',
  'disk-nearly-full': 'warning',
  'certificate-expired': 'error',
  'certificate-expiring': 'warning',
  'sip-port-silent': 'error',
  'browser-port-taken': 'error',
  'browser-port-other': 'warning',
  'sound-ports-none': 'error',
  'sound-ports-taken': 'warning',
  'sound-ports-few': 'warning',
  'address-unusable': 'error',
  'address-local': 'error',
  'address-private': 'warning',
  'clock-wrong': 'error',
  'clock-without-zones': 'error',
  'clock-jumped': 'warning',
  'clock-apart': 'warning',
  'clock-differs': 'warning',
  'open-files-few': 'warning',
  'sound-store-unusable': 'error',
  'recording-missing': 'error',
  'recording-lost': 'error',
  'destination-missing': 'error',
  'dead-end': 'error',
  'loop-without-input': 'error',
  'hours-never-open': 'error',
  'hours-zone-unknown': 'error',
  'test-failed': 'error',
  'prompts-untranslated': 'warning',
  'flow-unchecked': 'warning',
  'agent-blocked': 'warning',
  'email-unavailable': 'warning',
  'sms-unavailable': 'warning',
  'sms-template-missing': 'warning',
  'sms-template-inactive': 'warning',
  'webhook-missing': 'warning',
  'queue-endless': 'warning',
  'option-shadowed': 'warning',
  'timeout-zero-retries': 'warning',
  'hours-gap': 'warning',
  'star-code-hidden': 'warning',
} as const satisfies Readonly<Record<string, 'error' | 'warning'>>;

export type HealthCode = keyof typeof HEALTH_CODES;

/** What the checks of `dialtree doctor` find while the service runs. */
export type MachineCode = Extract<
  HealthCode,
  | `sip-port-${string}`
  | `browser-port-${string}`
  | `sound-${string}`
  | `address-${string}`
  | `clock-${string}`
  | `open-files-${string}`
>;

export interface MachineCheck {
  readonly code: MachineCode;
  readonly message: string;
  readonly values: Readonly<Record<string, string>>;
}

export type Severity = 'error' | 'warning';

export interface HealthFinding {
  readonly code: HealthCode;
  readonly severity: Severity;
  /** What it concerns, as references, the first MAX_CONCERNED of them; empty: the service. */
  readonly concerns: readonly Ref[];
  /** How many there are. */
  readonly count: number;
  /** Where in the record, as RFC 6901 has it; empty: the record as a whole. */
  readonly pointer: string;
  /** One sentence in English. */
  readonly message: string;
  /** Values of the sentence, by name. */
  readonly values: Readonly<Record<string, string>>;
}

export const MAX_CONCERNED = 100;
/** More findings than this are cut, warnings first. */
export const MAX_FINDINGS = 500;
export const CERTIFICATE_SOON_MS = 14 * 24 * 3_600_000;

/** What a node says of the machine that it runs on. */
export interface Machine {
  readonly recordFailure: 'full' | 'unavailable' | null;
  readonly disk: {
    /** Null if not known. */
    readonly freeBytes: number | null;
    readonly reserveBytes: number;
    readonly isLow: boolean;
  };
  /** The certificate of SIP over TLS; null: there is none. */
  readonly certificate: { readonly expiresAtMs: number } | null;
  /** What the checks found wrong. Absent: a node of an earlier version makes none. */
  readonly checks?: readonly MachineCheck[];
  /** What its clock showed when it answered; absent as `checks`. */
  readonly clockMs?: number;
}

export interface HealthFacts {
  readonly nowMs: number;
  /** Null if the linter did not come to an end. */
  readonly lint: readonly Finding[] | null;
  /** Recordings whose sound is missing or empty. `isPlayed`: something refers to it. */
  readonly lost: readonly { readonly id: string; readonly name: string; readonly isPlayed: boolean }[];
  /** Mails that the settings of the account promise, and that nothing can send. */
  readonly unmailed: readonly ('reports' | 'notifications')[];
  /** The account's language, and the built-in prompts that are heard in English instead. */
  readonly prompts: { readonly language: string; readonly untranslated: readonly string[] };
  readonly numbers: number;
  readonly departments: readonly {
    readonly id: string;
    readonly name: string;
    readonly agents: readonly string[];
  }[];
  readonly trunks: readonly {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly host: string;
  }[];
  /** Null if the service runs without telephones. */
  readonly live: LiveFacts | null;
  /** What the nodes that answered say of their machines. */
  readonly machines: readonly (Machine & { readonly node: string })[];
  /** Nodes that did not. */
  readonly unanswered: readonly string[];
  /** Whether the account may see what concerns the machine. */
  readonly isOperator: boolean;
}

export interface LiveFacts {
  readonly agents: readonly {
    readonly eid: string;
    readonly state: AgentState;
    readonly phones: { readonly registered: number };
    /** Absent: not known. */
    readonly canRing?: boolean;
  }[];
  readonly trunks: readonly {
    readonly id: string;
    readonly registered: boolean | null;
    readonly reachable: boolean | null;
    readonly problem: string | null;
    readonly unused_addresses: readonly string[];
  }[];
}

interface Said {
  readonly concerns?: readonly Ref[];
  readonly pointer?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly severity?: Severity;
}

function finding(code: HealthCode, message: string, said: Said = {}): HealthFinding {
  const { concerns = [], pointer = '', values = {}, severity = HEALTH_CODES[code] } = said;
  const count = concerns.length;
  return { code, severity, concerns: concerns.slice(0, MAX_CONCERNED), count, pointer, message, values };
}

/** Errors first, in the order of the table. */
export function healthFindings(facts: HealthFacts): HealthFinding[] {
  const order = Object.keys(HEALTH_CODES);
  const rank = ({ code, severity }: HealthFinding): number =>
    (severity === 'error' ? 0 : order.length) + order.indexOf(code);
  return [
    ...serviceFindings(facts),
    ...machineFindings(facts),
    ...trunkFindings(facts),
    ...peopleFindings(facts),
    ...lintFindings(facts),
    ...soundFindings(facts),
  ]
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MAX_FINDINGS);
}

const MB = 1024 * 1024;

function* serviceFindings(facts: HealthFacts): Generator<HealthFinding> {
  const { live, unanswered, isOperator, numbers, unmailed, prompts } = facts;
  if (live === null)
    yield finding('telephones-off', 'The service runs without telephones: it was started with SIP=off.');
  if (unanswered.length > 0 && !isOperator)
    yield finding('node-unanswered', 'A part of the service does not answer.');
  for (const node of isOperator ? unanswered : [])
    yield finding('node-unanswered', `Node ${node} does not answer.`, { values: { node } });
  if (numbers === 0)
    yield finding('number-missing', 'No number leads to a destination: nobody can call from outside.');
  if (prompts.untranslated.length > 0) {
    const [missing, language] = [String(prompts.untranslated.length), prompts.language];
    yield finding(
      'prompts-untranslated',
      `${missing} built-in prompts have no sound in the language ${language}: callers hear them in English.`,
      { values: { missing, language } },
    );
  }
  if (unmailed.length > 0)
    yield finding(
      'email-unavailable',
      `The service has no mail server (SMTP_URL): ${unmailed.join(' and ')} are not mailed.`,
      { concerns: [SETTINGS_NODE] },
    );
}

/** For the operator: the findings of each node, by name. For others: once what concerns their calls, without a name. */
function* machineFindings({ machines, isOperator, nowMs, trunks }: HealthFacts): Generator<HealthFinding> {
  const seen = new Set<HealthCode>();
  const needsWorld = trunks.some(isOutside);
  for (const { node, ...machine } of machines)
    for (const found of findingsOf(machine, nowMs)) {
      if (FOR_THE_WORLD.has(found.code) && !needsWorld) continue;
      if (!isOperator && (seen.has(found.code) || !TOLD_TO_ALL.has(found.code))) continue;
      seen.add(found.code);
      const isNamed = isOperator && machines.length > 1;
      if (isNamed)
        yield { ...found, message: `Node ${node}: ${found.message}`, values: { ...found.values, node } };
      else yield isOperator ? found : asTold(found);
    }
}

/** Codes of the machine that others than the operator are told of; a text: in these words, without what the machine is. */
const TOLD_TO_ALL: ReadonlyMap<HealthCode, string | null> = new Map([
  ['records-not-written', null],
  ['disk-full', null],
  [
    'sip-port-silent',
    'Some phones or providers may not reach the service: one of its ports does not answer.',
  ],
  ['sound-ports-none', 'New callers are refused: the service has no room for the sound of more calls.'],
]);

function asTold(found: HealthFinding): HealthFinding {
  const message = TOLD_TO_ALL.get(found.code) ?? null;
  return message === null ? found : { ...found, message, values: {} };
}

/** An address that only this machine or its network reaches is right for many; a provider on the internet does not reach it. */
const FOR_THE_WORLD: ReadonlySet<HealthCode> = new Set(['address-local', 'address-private']);

function isOutside({ enabled, host }: HealthFacts['trunks'][number]): boolean {
  const network = parseNetwork(host);
  return enabled && (network ? !isPrivate(network) : host.includes('.') && !LOCAL_NAMES.test(host));
}

const LOCAL_NAMES = /\.(?:local|lan|home|internal|localhost|test)\.?$/i;

function* findingsOf(
  { recordFailure, disk, certificate, checks = [] }: Machine,
  nowMs: number,
): Generator<HealthFinding> {
  // A node of a later version may know codes that this one has no words for.
  for (const { code, message, values } of checks)
    if (Object.hasOwn(HEALTH_CODES, code)) yield finding(code, message, { values });
  if (recordFailure !== null)
    yield finding('records-not-written', 'Call records cannot be written; they wait in memory.');
  const { freeBytes, reserveBytes, isLow } = disk;
  const free = String(Math.floor((freeBytes ?? 0) / MB));
  if (isLow)
    yield finding('disk-full', `Calls and voicemail are not recorded: ${free} MB of disk are free.`, {
      values: { free },
    });
  else if (freeBytes !== null && freeBytes < 3 * reserveBytes)
    yield finding('disk-nearly-full', `${free} MB of disk are free.`, { values: { free } });
  if (!certificate) return;
  const date = new Date(certificate.expiresAtMs).toISOString();
  if (certificate.expiresAtMs <= nowMs)
    yield finding('certificate-expired', `The TLS certificate ran out on ${date}: phones refuse it.`, {
      values: { date },
    });
  else if (certificate.expiresAtMs < nowMs + CERTIFICATE_SOON_MS)
    yield finding('certificate-expiring', `The TLS certificate runs out on ${date}.`, { values: { date } });
}

function* trunkFindings({ trunks, live }: HealthFacts): Generator<HealthFinding> {
  for (const { id, name, enabled } of trunks) {
    const state = live?.trunks.find((trunk) => trunk.id === id);
    if (!enabled || !state) continue;
    const about = { concerns: [`trunk||${id}` as Ref] };
    const problem = state.problem ?? '';
    if (state.registered === false)
      yield finding('trunk-unregistered', `Trunk ${name} is not registered. ${problem}`.trim(), {
        ...about,
        values: { name, problem },
      });
    else if (state.reachable === false)
      yield finding('trunk-unreachable', `Trunk ${name} does not answer.`, { ...about, values: { name } });
    if (state.unused_addresses.length > 0)
      yield finding('trunk-addresses-unused', `Calls from some addresses of trunk ${name} are refused.`, {
        ...about,
        values: { name, addresses: state.unused_addresses.slice(0, 10).join(', ') },
      });
  }
}

/** Nobody who is at work could ever be rung: other states pass by themselves. */
const CANNOT: ReadonlySet<AgentState> = new Set(['unreachable', 'blocked']);

function* peopleFindings({ departments, live }: HealthFacts): Generator<HealthFinding> {
  if (live === null) return;
  const states = new Map(
    live.agents.map(({ eid, state, canRing = true }) => [eid, workState(state, () => canRing)]),
  );
  for (const { id, name, agents } of departments) {
    const canAnswer = agents.some((eid) => !CANNOT.has(states.get(eid) ?? 'unreachable'));
    if (!canAnswer)
      yield finding('department-unanswered', `Nobody in department ${name} can answer.`, {
        concerns: [referenceTo('department', id)],
        values: { name, agents: String(agents.length) },
      });
  }
  const without = live.agents.filter(({ eid }) => states.get(eid) === 'unreachable');
  if (without.length > 0)
    yield finding('agents-without-phones', `${without.length} agents have no phone that answers.`, {
      concerns: without.map(({ eid }) => referenceTo('agent', eid)),
    });
}

const isHealthCode = (code: LintCode): code is LintCode & HealthCode => code in HEALTH_CODES;

/** With the linter's own severity: "dialtree lint" and Health say the same. */
function* lintFindings({ lint }: HealthFacts): Generator<HealthFinding> {
  if (lint === null) {
    yield finding('flow-unchecked', 'Menus and destinations could not be checked in time.');
    return;
  }
  for (const { code, severity, node, pointer, message } of lint) {
    if (!isHealthCode(code)) continue;
    yield finding(code, message, { concerns: [node], pointer, severity });
  }
}

function* soundFindings({ lost }: HealthFacts): Generator<HealthFinding> {
  for (const { id, name, isPlayed } of lost)
    yield finding('recording-lost', `The sound of recording ${name} is missing or empty.`, {
      concerns: [referenceText('recording', id)],
      values: { name },
      severity: isPlayed ? 'error' : 'warning',
    });
}
