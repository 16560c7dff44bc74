// Collect: asks for digits and keeps them as a variable of the call.
import { referenceTo } from '../flow/node.ts';
import type { AllowedDigits, CollectNode } from '../flow/think-nodes.ts';
import { splitReference } from '../kinds/reference.ts';

export const MAX_DIGITS = 32;
export const MAX_ALLOWED = 100;

export interface Collect {
  readonly name: string;
  readonly description: string;
  /** Null: `text` alone. */
  readonly recording: string | null;
  /** Spoken in place of the recording, which is heard where that fails; a template. Null: the recording. */
  readonly text: string | null;
  readonly min_digits: number;
  readonly max_digits: number;
  /** Empty: none; the longest input or a pause ends it. */
  readonly finish_key: '#' | '*' | '';
  /** Seconds for the first key. */
  readonly timeout: number;
  /** `1234`: this value; `length:6`; `prefix:49`. Empty: anything of a fitting length. */
  readonly allowed: readonly string[];
  readonly attempts: number;
  readonly invalid_recording: string | null;
  readonly timeout_recording: string | null;
  readonly confirm: boolean;
  readonly save_as: string;
  readonly sensitive: boolean;
  readonly next_destination: string;
  readonly failed_destination: string;
}

export const COLLECT_DEFAULTS = {
  description: '',
  recording: null,
  text: null,
  min_digits: 1,
  finish_key: '#',
  timeout: 5,
  attempts: 3,
  invalid_recording: null,
  timeout_recording: null,
  confirm: false,
  sensitive: false,
} as const satisfies Partial<Collect>;

export function collectNode(id: string, collect: Collect): CollectNode {
  const recordingId = (reference: string | null): string | null =>
    reference === null ? null : splitReference(reference).id;
  return {
    kind: 'collect',
    ref: referenceTo('collect', id),
    name: collect.name,
    recording: recordingId(collect.recording),
    ...(collect.text === null ? {} : { text: collect.text }),
    minDigits: collect.min_digits,
    maxDigits: collect.max_digits,
    finishKey: collect.finish_key,
    timeoutSeconds: collect.timeout,
    allowed: collect.allowed.map(allowedDigits),
    attempts: collect.attempts,
    invalidRecording: recordingId(collect.invalid_recording),
    timeoutRecording: recordingId(collect.timeout_recording),
    confirm: collect.confirm,
    saveAs: collect.save_as,
    sensitive: collect.sensitive,
    next: collect.next_destination,
    failed: collect.failed_destination,
  };
}

function allowedDigits(text: string): AllowedDigits {
  const [what = '', value] = text.split(':', 2);
  if (value === undefined) return { value: what };
  return what === 'length' ? { length: Number(value) } : { prefix: value };
}
