// What the caller and the called do in a simulated call, as text for the command line or as JSON.
//
//   script   = step { "," step }
//   step     = keys [ "@" duration ]        press keys when a menu listens, so long after it began to
//            | "wait"                       let the menu's time-out pass without a key
//            | "wait" duration              let so much time pass, then go on whatever is happening
//            | "hangup"                     hang up as soon as this step is reached
//            | "answer" [ duration ]        the next phones that ring are answered, after so long
//            | "busy" | "unreachable" | "no-answer"        … or are not
//   keys     = 1 to 64 of 0-9 * #
//   duration = number ( "ms" | "s" | "m" )
//
// "9,wait,1" presses 9 at the first menu, is silent at the next prompt, and presses 1 at the one after.

export type RingStep =
  | { readonly do: 'answer'; readonly afterMs?: number }
  | { readonly do: 'busy' }
  | { readonly do: 'unreachable' }
  | { readonly do: 'no-answer' };

export type ScriptStep =
  | { readonly do: 'press'; readonly keys: string; readonly afterMs?: number }
  | { readonly do: 'wait'; readonly ms?: number }
  | { readonly do: 'hang-up' }
  | RingStep;

export interface ScriptFault {
  /** In text, the character (from 1); in JSON, the step (from 1). */
  readonly position: number;
  readonly message: string;
}

export type ScriptReading =
  | { readonly ok: true; readonly steps: readonly ScriptStep[] }
  | { readonly ok: false; readonly fault: ScriptFault };

const MOST_STEPS = 1_000;
const LONGEST_MS = 24 * 3_600_000;
const KEYS = /^[0-9*#]{1,64}$/;
const WORDS = 'keys (0-9 * #), wait, hangup, answer, busy, unreachable or no-answer';

export function readScript(script: unknown): ScriptReading {
  if (typeof script === 'string') return parseScript(script);
  if (!Array.isArray(script)) return fault(1, 'A script is text or a list of steps.');
  if (script.length > MOST_STEPS) return fault(MOST_STEPS + 1, `A script has at most ${MOST_STEPS} steps.`);
  const steps: ScriptStep[] = [];
  for (const [index, value] of script.entries()) {
    const step = readStep(value);
    if (typeof step === 'string') return fault(index + 1, step);
    steps.push(step);
  }
  return { ok: true, steps };
}

export function parseScript(text: string): ScriptReading {
  const steps: ScriptStep[] = [];
  if (text.trim() === '') return { ok: true, steps };
  let position = 1;
  for (const part of text.split(',')) {
    const start = position + (part.length - part.trimStart().length);
    const step = parseStep(part.trim());
    if (typeof step === 'string') return fault(start, step);
    if (steps.length === MOST_STEPS) return fault(start, `A script has at most ${MOST_STEPS} steps.`);
    steps.push(step);
    position += part.length + 1;
  }
  return { ok: true, steps };
}

export function scriptText(steps: readonly ScriptStep[]): string {
  return steps.map(stepText).join(',');
}

function stepText(step: ScriptStep): string {
  switch (step.do) {
    case 'press':
      return step.afterMs === undefined ? step.keys : `${step.keys}@${step.afterMs}ms`;
    case 'wait':
      return step.ms === undefined ? 'wait' : `wait ${step.ms}ms`;
    case 'answer':
      return step.afterMs === undefined ? 'answer' : `answer ${step.afterMs}ms`;
    case 'hang-up':
      return 'hangup';
    case 'busy':
    case 'unreachable':
    case 'no-answer':
      return step.do;
    default:
      return step satisfies never;
  }
}

/** A step, or what is wrong with it. */
function parseStep(text: string): ScriptStep | string {
  if (text === '') return `There is a step missing here: expected ${WORDS}.`;
  if (/^[0-9*#]/.test(text)) return parseKeys(text);
  const [word = '', ...rest] = text.toLowerCase().split(/\s+/);
  const duration = rest.join('');
  if (word === 'wait' || word === 'answer') {
    if (duration === '') return { do: word };
    const ms = parseDuration(duration);
    if (typeof ms === 'string') return ms;
    return word === 'wait' ? { do: 'wait', ms } : { do: 'answer', afterMs: ms };
  }
  const plain = wordStep(word);
  if (!plain) return `“${text}” is not a step: expected ${WORDS}.`;
  return duration === '' ? plain : `“${word}” takes nothing after it, but “${duration}” follows.`;
}

function wordStep(word: string): ScriptStep | undefined {
  switch (word) {
    case 'hangup':
    case 'hang-up':
      return { do: 'hang-up' };
    case 'busy':
    case 'unreachable':
      return { do: word };
    case 'no-answer':
    case 'noanswer':
      return { do: 'no-answer' };
    default:
      return undefined;
  }
}

function parseKeys(text: string): ScriptStep | string {
  const [keys = '', duration, ...more] = text.split('@');
  if (!KEYS.test(keys.trim()) || more.length > 0) {
    return `“${text}” is not 1 to 64 keys out of 0-9 * #, with an optional @time.`;
  }
  if (duration === undefined) return { do: 'press', keys: keys.trim() };
  const afterMs = parseDuration(duration.trim());
  return typeof afterMs === 'string' ? afterMs : { do: 'press', keys: keys.trim(), afterMs };
}

export function parseDuration(text: string): number | string {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? [];
  if (amount === undefined) return `“${text}” is not a time such as 500ms, 1.5s or 2m.`;
  const ms = Math.round(Number(amount) * (unit === 'ms' ? 1 : unit === 's' ? 1_000 : 60_000));
  return ms <= LONGEST_MS ? ms : `“${text}” is longer than a day.`;
}

function readStep(value: unknown): ScriptStep | string {
  if (typeof value !== 'object' || value === null || !('do' in value)) {
    return 'A step is an object with the member "do".';
  }
  const word = value.do;
  if (word === 'press') {
    if (!('keys' in value) || typeof value.keys !== 'string' || !KEYS.test(value.keys)) {
      return '"keys" must be 1 to 64 keys out of 0-9 * #.';
    }
    return withTime(value, 'afterMs', { do: 'press', keys: value.keys });
  }
  if (word === 'wait') return withTime(value, 'ms', { do: 'wait' });
  if (word === 'answer') return withTime(value, 'afterMs', { do: 'answer' });
  const plain = typeof word === 'string' ? wordStep(word) : undefined;
  return plain ?? '"do" must be press, wait, hang-up, answer, busy, unreachable or no-answer.';
}

function withTime(value: object, member: 'ms' | 'afterMs', step: ScriptStep): ScriptStep | string {
  const ms: unknown = member in value ? Reflect.get(value, member) : undefined;
  if (ms === undefined || ms === null) return step;
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > LONGEST_MS) {
    return `"${member}" must be whole milliseconds, at most a day.`;
  }
  return { ...step, [member]: ms };
}

function fault(position: number, message: string): ScriptReading {
  return { ok: false, fault: { position, message } };
}
