// Collect: asks for digits and keeps them as a variable of the call.
import { referenceTo } from '../flow/node.ts';
import type { AllowedDigits, CollectNode } from '../flow/think-nodes.ts';
import { DESCRIPTION, NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { listOf, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { ownVariable } from './flow-fields.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';
import { checkWords, SPOKEN_TEXT } from './spoken-text.ts';

export const MAX_DIGITS = 32;
export const MAX_ALLOWED = 100;

const allowed = pattern(
  /^(?:[0-9]{1,32}|length:(?:[1-9]|[12][0-9]|3[0-2])|prefix:[0-9]{1,32})$/,
  'digits, length:<1 to 32>, or prefix:<digits>',
);

export const collect = defineKind({
  kind: 'collect',
  noun: 'collect',
  nouns: 'collects',
  word: 'collect',
  directory: 'collects',
  exported: 'collects',
  key: 'name',
  versioned: true,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Collect',
  plural: 'Collects',
  path: '/v1/collect',
  listPath: '/v1/collects',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    name: NAME,
    description: DESCRIPTION,
    recording: optional(recording(), null),
    text: SPOKEN_TEXT,
    min_digits: optional(wholeNumber(1, MAX_DIGITS, 'digits'), 1),
    max_digits: wholeNumber(1, MAX_DIGITS, 'digits'),
    finish_key: optional(oneOf(['#', '*', ''], 'the key that ends the input; empty: none'), '#'),
    timeout: optional(wholeNumber(0, 600, 'seconds'), 5),
    allowed: optional(listOf(allowed, { min: 0, max: MAX_ALLOWED, of: 'rules' }), []),
    attempts: optional(wholeNumber(1, 20), 3),
    invalid_recording: optional(recording(), null),
    timeout_recording: optional(recording(), null),
    confirm: optional(yesNo('whether the digits are read back'), false),
    save_as: ownVariable,
    sensitive: optional(yesNo('whether the digits are hidden'), false),
    next_destination: to,
    failed_destination: to,
  }),
  check(collect, faults) {
    checkWords(collect, faults);
    if (collect.min_digits > collect.max_digits)
      faults.add('/min_digits', 'number_out_of_range', 'min_digits must not be greater than max_digits.');
  },
  node: (id, collect): CollectNode => collectNode(id, collect),
});

export type Collect = DataOf<typeof collect>;

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
