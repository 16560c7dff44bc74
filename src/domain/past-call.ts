// A call that is over, as far as searching and counting need it: what became of it, and the words it is found by.
import type { TrailEntry } from '../flow/trail.ts';
import { HIDDEN_VALUE } from '../flow/variables.ts';
import { type QueueResult, queueResultOf, queueVisitsOf, waitClassOf } from './queue-visits.ts';

export interface PastCall {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly direction: 'inbound' | 'internal' | 'outbound';
  readonly caller: string | null;
  readonly dialled: string;
  readonly endCode: string;
  /** The eid of the agent who answered. */
  readonly answeredBy: string | null;
  /** In queues, while no phone rang. Null: of a record of schema 1, which did not tell them apart. */
  readonly waitMs: number | null;
  /** While at least one phone rang. */
  readonly ringMs: number;
  readonly talkMs: number;
  readonly trail: readonly TrailEntry[];
  /** The eid of the agent who made the call. */
  readonly madeBy?: string | null;
  /** Made to call someone back, who was counted in the queue by the call that asked for it. */
  readonly isCallback?: boolean;
  /** The variables at the end of the call, sensitive ones hidden. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** docs/call-records.md explains each. */
export const OUTCOMES = [
  'answered',
  'transferred',
  'missed',
  'unreachable',
  'abandoned',
  'voicemail',
  'blocked',
  'refused',
  'interrupted',
  'completed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Outcomes that only records of schema 1 have. Their other outcomes follow the rules of then, too. */
export const OLD_OUTCOMES = ['failed'] as const;
export type OldOutcome = (typeof OLD_OUTCOMES)[number];
/** In a search: calls in which no one answered and that were not passed on. */
export const UNANSWERED = 'unanswered';
/** In a search: calls that an agent or an external number answered, whatever their outcome. */
export const TALKED = 'talked';

/** Which rules a record's outcome and times follow: 1 is what was written before waiting, ringing and talking were told apart. */
export const RECORD_SCHEMA = 2;
export const schemaOf = ({ waitMs }: Pick<PastCall, 'waitMs'>): number =>
  waitMs === null ? 1 : RECORD_SCHEMA;

/** What a call can be found by: most are query parameters of GET /v1/call/records. The rarest first: its calls are scanned. */
export const CALL_WORDS = [
  'variable',
  'caller',
  'agent',
  'unanswered_by',
  'made_by',
  'involved',
  'queue',
  'queue_wait',
  'department',
  'number',
  'end_code',
  'ivr',
  'outcome',
  'direction',
] as const;
export type CallWord = (typeof CALL_WORDS)[number];

/** Longer numbers are not valid ones; the index does not keep them. */
export const MAX_WORD = 128;
/** Words of one call: a caller who wanders through every menu fills no index. */
export const MAX_WORDS = 200;
const MAX_QUEUE_WORDS = 50;

export const wordOf = (name: CallWord, value: string): string => `${name}:${value.slice(0, MAX_WORD)}`;

const CALLER_LEFT: ReadonlySet<string> = new Set(['caller-hung-up', 'caller-lost']);
const INTERRUPTED: ReadonlySet<string> = new Set([
  'operator-hung-up',
  'service-stopped',
  'internal-error',
  'interrupted',
]);
/** The flow's own end, unless it failed to reach a phone before. */
const COMPLETED: ReadonlySet<string> = new Set([
  'hang-up-reached',
  'busy-reached',
  'star-code-done',
  'voicemail-empty',
  'voicemail-full',
  'consultation-ended',
]);
const isPhoneOrDepartment = (node: string): boolean =>
  node.startsWith('extension||') || node.startsWith('department||') || node.startsWith('number||');

export const callerLeft = ({ endCode }: Pick<PastCall, 'endCode'>): boolean => CALLER_LEFT.has(endCode);

/** Whether an agent or an external number answered it, whatever became of it then. */
export const wasAnswered = ({
  answeredBy,
  talkMs,
  trail,
}: Pick<PastCall, 'answeredBy' | 'talkMs' | 'trail'>): boolean =>
  answeredBy !== null || talkMs > 0 || trail.some(({ code }) => code === 'connected');

/** The eids of the agents whose phones rang, and who answered. */
export function offeredTo({ answeredBy, trail }: Pick<PastCall, 'answeredBy' | 'trail'>): Set<string> {
  const offered = new Set<string>(answeredBy === null ? [] : [answeredBy]);
  for (const { code, node } of trail)
    if (code === 'ring-progressed' && node?.startsWith('extension||')) offered.add(node.slice(11));
  return offered;
}

/** The first of these that is true of it. docs/call-records.md has the same list in words. */
export function outcomeOf(
  call: Pick<PastCall, 'endCode' | 'answeredBy' | 'ringMs' | 'talkMs' | 'trail'>,
): Outcome {
  const { endCode, answeredBy, ringMs, talkMs, trail } = call;
  let connected = answeredBy !== null || talkMs > 0;
  let rang = ringMs > 0;
  let message = endCode === 'voicemail-left';
  let [reached, apology] = [false, false];
  for (const { code, node } of trail) {
    if (code === 'connected') connected = true;
    // Its 180 came; `ringing` is only the attempt.
    else if (code === 'ring-progressed') rang = true;
    else if (code === 'voicemail-saved') message = true;
    else if (code === 'apology') apology = true;
    else if (code === 'arrived' && node !== null && isPhoneOrDepartment(node)) reached = true;
  }
  if (endCode === 'caller-blocked') return 'blocked';
  if (endCode === 'call-refused' || endCode === 'star-code-failed') return 'refused';
  if (endCode === 'transferred') return 'transferred';
  if (endCode === 'callback-asked' || endCode === 'callback-ended') return 'completed';
  if (message) return 'voicemail';
  if (INTERRUPTED.has(endCode)) return 'interrupted';
  if (connected) return 'answered';
  if (rang) return 'missed';
  // Whether the caller hears the apology to its end changes nothing.
  if (CALLER_LEFT.has(endCode)) return apology ? 'unreachable' : 'abandoned';
  if (COMPLETED.has(endCode)) return reached ? 'unreachable' : 'completed';
  return endCode === 'call-limit' || endCode === 'voicemail-failed' ? 'interrupted' : 'unreachable';
}

export function wordsOf(call: PastCall, outcome = outcomeOf(call)): string[] {
  // A list: most calls have half a dozen, and only those of nodes can come twice.
  const words = [
    wordOf('direction', call.direction),
    wordOf('outcome', outcome),
    wordOf('end_code', call.endCode),
    wordOf('number', call.dialled),
  ];
  if (outcome !== 'answered' && outcome !== 'transferred' && call.talkMs === 0 && call.answeredBy === null)
    words.push(wordOf('outcome', UNANSWERED));
  if (wasAnswered(call)) words.push(wordOf('outcome', TALKED));
  if (call.caller !== null) words.push(wordOf('caller', call.caller));
  if (call.madeBy) words.push(wordOf('made_by', call.madeBy));
  if (call.answeredBy !== null)
    words.push(wordOf('agent', call.answeredBy), wordOf('involved', call.answeredBy));
  addVariables(words, call.variables);
  addQueues(words, call);
  for (const eid of offeredTo(call)) {
    if (words.length >= MAX_WORDS) break;
    if (eid !== call.answeredBy) words.push(wordOf('unanswered_by', eid));
  }
  for (const { code, node, rung } of call.trail) {
    if (words.length >= MAX_WORDS) break;
    if (code === 'arrived' && node !== null && !isCalledBackBy(call, node)) addNode(words, node);
    if (rung) for (const owner of rung) addNode(words, owner);
  }
  return words;
}

/** By name and value; hidden values are not to be found. */
export const variableWord = (name: string, value: string): string => wordOf('variable', `${name}=${value}`);

function addVariables(words: string[], variables: PastCall['variables']): void {
  for (const [name, value] of Object.entries(variables ?? {}))
    if (value !== '' && value !== HIDDEN_VALUE) words.push(variableWord(name, value));
}

/** The word for the result in a department; null: the result of the whole call in all departments. */
export const queueWord = (result: QueueResult, department: string | null): string =>
  wordOf('queue', department === null ? result : `${result} ${department}`);

function addQueues(words: string[], call: PastCall): void {
  const visits = queueVisitsOf(call, callerLeft(call));
  const whole = queueResultOf(visits);
  if (whole === null) return;
  words.push(queueWord(whole.result, null));
  if (whole.result === 'answered') words.push(wordOf('queue_wait', String(waitClassOf(whole.waitMs))));
  for (const { department, result } of visits.slice(0, MAX_QUEUE_WORDS))
    words.push(queueWord(result, department.slice(12)));
}

/** Found by what the department counts. */
const isCalledBackBy = ({ isCallback }: PastCall, node: string): boolean =>
  isCallback === true && node.startsWith('department||');

function addNode(words: string[], node: string): void {
  const word = wordOfNode(node);
  if (word !== null && !words.includes(word)) words.push(word);
}

function wordOfNode(node: string): string | null {
  if (node.startsWith('ivr||')) return wordOf('ivr', node.slice(5));
  if (node.startsWith('department||')) return wordOf('department', node.slice(12));
  return node.startsWith('extension||') ? wordOf('involved', node.slice(11)) : null;
}
