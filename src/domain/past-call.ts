// A call that is over, as far as searching and counting need it: what became of it, and the words it is found by.
import type { TrailEntry } from '../flow/trail.ts';

export interface PastCall {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly direction: 'inbound' | 'internal' | 'outbound';
  readonly caller: string | null;
  readonly dialled: string;
  readonly endCode: string;
  /** The eid of the agent who answered. */
  readonly answeredBy: string | null;
  readonly ringMs: number;
  readonly talkMs: number;
  readonly trail: readonly TrailEntry[];
}

export const OUTCOMES = ['answered', 'voicemail', 'missed', 'abandoned', 'completed', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** What stands for every outcome but `answered` in a search. */
export const UNANSWERED = 'unanswered';

/** What a call can be found by. The words are those of the query parameters of GET /v1/call/records. */
export const CALL_WORDS = [
  'caller',
  'agent',
  'involved',
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
/** Of one call: a caller who wanders through every menu fills no index. */
export const MAX_WORDS = 200;

export const wordOf = (name: CallWord, value: string): string => `${name}:${value.slice(0, MAX_WORD)}`;

const CALLER_LEFT: ReadonlySet<string> = new Set(['caller-hung-up', 'caller-lost']);
const CAME_TO_ITS_END: ReadonlySet<string> = new Set(['hang-up-reached', 'busy-reached']);
const isPhoneOrDepartment = (node: string): boolean =>
  node.startsWith('extension||') || node.startsWith('department||') || node.startsWith('number||');

export const callerLeft = ({ endCode }: Pick<PastCall, 'endCode'>): boolean => CALLER_LEFT.has(endCode);

/** The first of these that is true of it. docs/call-records.md has the same list in words. */
export function outcomeOf(call: PastCall): Outcome {
  const { answeredBy, talkMs, endCode, trail } = call;
  let left = endCode === 'voicemail-left';
  let missed = false;
  let connected = answeredBy !== null || talkMs > 0;
  for (const { code, node } of trail) {
    if (code === 'connected') connected = true;
    else if (code === 'voicemail-saved') left = true;
    else if (code === 'ringing' || (code === 'arrived' && node !== null && isPhoneOrDepartment(node)))
      missed = true;
  }
  if (connected) return 'answered';
  if (left) return 'voicemail';
  if (missed) return 'missed';
  if (callerLeft(call)) return 'abandoned';
  return CAME_TO_ITS_END.has(endCode) ? 'completed' : 'failed';
}

export function wordsOf(call: PastCall, outcome = outcomeOf(call)): string[] {
  // A list: most calls have half a dozen, and only those of nodes can come twice.
  const words = [
    wordOf('direction', call.direction),
    wordOf('outcome', outcome),
    wordOf('end_code', call.endCode),
    wordOf('number', call.dialled),
  ];
  if (outcome !== 'answered') words.push(wordOf('outcome', UNANSWERED));
  if (call.caller !== null) words.push(wordOf('caller', call.caller));
  if (call.answeredBy !== null)
    words.push(wordOf('agent', call.answeredBy), wordOf('involved', call.answeredBy));
  for (const { code, node, rung } of call.trail) {
    if (words.length >= MAX_WORDS) break;
    if (code === 'arrived' && node !== null) addNode(words, node);
    if (rung) for (const owner of rung) addNode(words, owner);
  }
  return words;
}

function addNode(words: string[], node: string): void {
  const word = wordOfNode(node);
  if (word !== null && !words.includes(word)) words.push(word);
}

function wordOfNode(node: string): string | null {
  if (node.startsWith('ivr||')) return wordOf('ivr', node.slice(5));
  if (node.startsWith('department||')) return wordOf('department', node.slice(12));
  return node.startsWith('extension||') ? wordOf('involved', node.slice(11)) : null;
}
