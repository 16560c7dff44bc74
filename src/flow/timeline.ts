// A trace for the eyes: one line per step, the clock on the left, the outcome last. Pure text.

import type { Ref } from './node.ts';
import type { Trace } from './simulation/trace.ts';
import type { TrailCode, TrailEntry } from './trail.ts';

const ESCAPE = '\u001b[';
const PAINT = { dim: '2', red: '31', green: '32', yellow: '33', cyan: '36', bold: '1' } as const;
type Colour = keyof typeof PAINT;

const COLOURS: Partial<Record<TrailCode, Colour>> = {
  playing: 'cyan',
  'key-pressed': 'bold',
  'key-kept': 'bold',
  'option-matched': 'green',
  connected: 'green',
  'voicemail-saved': 'green',
  'invalid-retry': 'yellow',
  'invalid-final': 'yellow',
  'timeout-retry': 'yellow',
  'timeout-final': 'yellow',
  'key-ignored': 'yellow',
  'keys-dropped': 'yellow',
  'agent-busy': 'yellow',
  'agent-unreachable': 'yellow',
  'agent-paused': 'yellow',
  'no-answer': 'yellow',
  'agent-blocked': 'yellow',
  'agent-outside-hours': 'yellow',
  'room-pin-wrong': 'yellow',
  'room-refused': 'yellow',
  'do-not-disturb': 'yellow',
  forwarded: 'yellow',
  'queue-turn': 'green',
  'callback-asked': 'green',
  'callback-refused': 'yellow',
  'queue-returned': 'yellow',
  'queue-full': 'yellow',
  'queue-empty': 'yellow',
  'queue-timeout': 'yellow',
  failover: 'yellow',
  'recording-missing': 'red',
  'destination-missing': 'red',
  'hop-limit': 'red',
  apology: 'red',
  'status-sent': 'red',
};

/** What is shown of a trace. */
export interface ShownTrace {
  readonly steps: readonly Pick<TrailEntry, 'atMs' | 'node' | 'code' | 'text'>[];
  readonly outcome: Trace['outcome'];
  readonly names: Trace['names'];
  readonly unusedSteps: readonly unknown[];
}

export function renderTimeline(trace: ShownTrace, options: { readonly colour?: boolean } = {}): string {
  const paint = (colour: Colour | undefined, text: string): string =>
    options.colour && colour ? `${ESCAPE}${PAINT[colour]}m${text}${ESCAPE}0m` : text;
  const place = (node: Ref | null): string => (node === null ? '' : plain(trace.names[node] ?? node));
  const widest = Math.max(0, ...trace.steps.map(({ node }) => place(node).length));
  const lines = trace.steps.map(({ atMs, node, code, text }) => {
    const where = place(node).padEnd(widest);
    return `${paint('dim', clockText(atMs))}  ${paint('dim', where)}  ${paint(COLOURS[code], plain(text))}`;
  });
  const { kind, reason, text, cause, word } = trace.outcome;
  const good = kind === 'connected' || kind === 'voicemail';
  const what = reason === kind ? kind : `${kind} (${reason})`;
  const summary = plain(`${what}: ${text} ${word}, cause ${cause}.`);
  lines.push('', paint(good ? 'green' : 'yellow', summary));
  if (trace.unusedSteps.length > 0) {
    lines.push(`${trace.unusedSteps.length} step(s) of the script were never reached.`);
  }
  return `${lines.join('\n')}\n`;
}

/** `m:ss.mmm`, with hours in front when there are any. */
export function clockText(ms: number): string {
  const pad = (value: number, length: number): string => String(value).padStart(length, '0');
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const rest = `${pad(Math.floor(ms / 1_000) % 60, 2)}.${pad(Math.floor(ms) % 1_000, 3)}`;
  return hours > 0 ? `${hours}:${pad(minutes, 2)}:${rest}` : `${minutes}:${rest}`;
}

/** Names come from users: a control character in one must not reach the terminal. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
