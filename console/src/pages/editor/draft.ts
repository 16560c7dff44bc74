// A menu while it is being edited: each key with all that belongs to it, and gaps where nothing is chosen yet. The API has
// parallel lists and no gaps; this file is the only one that knows both forms.
import type { Ivr, StoredTest } from '../../../../src/domain/ivr.ts';

export interface OptionDraft {
  /** The keys as pressed: one of a telephone, or several, such as 10. */
  readonly keys: string;
  /** `kind||id`; empty: not chosen yet. */
  readonly destination: string;
  readonly sms_template: string | null;
  /** `webhook||id`. */
  readonly webhook: string | null;
}

export interface IvrDraft {
  readonly name: string;
  readonly description: string;
  /** `recording||id`; empty: not chosen yet. */
  readonly recording: string;
  /** Seconds; null: the field is empty. */
  readonly timeout: number | null;
  readonly options: readonly OptionDraft[];
  readonly incorrect_count: number | null;
  readonly invalid_recording: string;
  /** Empty: invalid_recording is played there too. */
  readonly recording_invalid: string;
  readonly invalid_destination: string;
  readonly timeout_retry_recording: string;
  readonly timeout_recording: string;
  readonly timeout_destination: string;
  readonly timeout_tries: number | null;
  readonly record_calls: boolean;
  readonly sensitive: boolean;
  readonly tests: readonly StoredTest[];
}

/** The members that name a recording, in the order callers may hear them. */
export const PROMPT_FIELDS = [
  'recording',
  'invalid_recording',
  'recording_invalid',
  'timeout_retry_recording',
  'timeout_recording',
] as const;
export type PromptField = (typeof PROMPT_FIELDS)[number];

export const COUNT_FIELDS = ['timeout', 'incorrect_count', 'timeout_tries'] as const;
export type CountField = (typeof COUNT_FIELDS)[number];

export const WAY_FIELDS = ['invalid_destination', 'timeout_destination'] as const;
export type WayField = (typeof WAY_FIELDS)[number];

/** As many as the API takes. */
export const MAX_OPTIONS = 50;
export const MAX_KEYS = 6;

/** Values that suit most menus; what only the author can know is left open. */
export function emptyDraft(): IvrDraft {
  return {
    name: '',
    description: '',
    recording: '',
    timeout: 5,
    options: [],
    incorrect_count: 2,
    invalid_recording: '',
    recording_invalid: '',
    invalid_destination: '',
    timeout_retry_recording: '',
    timeout_recording: '',
    timeout_destination: '',
    timeout_tries: 1,
    record_calls: false,
    sensitive: false,
    tests: [],
  };
}

export function draftOf(ivr: Ivr): IvrDraft {
  const { option, destination, sms_template, webhook, recording_invalid, tests } = ivr;
  return {
    name: ivr.name,
    description: ivr.description,
    recording: ivr.recording,
    timeout: ivr.timeout,
    options: option.map((keys, index) => ({
      keys,
      destination: destination[index] ?? '',
      sms_template: sms_template[index] ?? null,
      webhook: webhook[index] ?? null,
    })),
    incorrect_count: ivr.incorrect_count,
    invalid_recording: ivr.invalid_recording,
    recording_invalid: recording_invalid ?? '',
    invalid_destination: ivr.invalid_destination,
    timeout_retry_recording: ivr.timeout_retry_recording,
    timeout_recording: ivr.timeout_recording,
    timeout_destination: ivr.timeout_destination,
    timeout_tries: ivr.timeout_tries,
    record_calls: ivr.record_calls,
    sensitive: ivr.sensitive,
    tests,
  };
}

/** The menu as the linter and the simulator take it: gaps are empty references and counts of none. */
export function ivrOf(draft: IvrDraft): Ivr {
  const { options, recording_invalid, timeout, incorrect_count, timeout_tries, ...rest } = draft;
  return {
    ...rest,
    timeout: timeout ?? 0,
    incorrect_count: incorrect_count ?? 0,
    timeout_tries: timeout_tries ?? 0,
    recording_invalid: recording_invalid === '' ? null : recording_invalid,
    option: options.map(({ keys }) => keys),
    destination: options.map(({ destination }) => destination),
    sms_template: trimmed(options.map(({ sms_template }) => sms_template)),
    webhook: trimmed(options.map(({ webhook }) => webhook)),
  };
}

/** What is sent. A gap is sent as null, which counts as missing: the service then says so at the field, for all at once. */
export function bodyOf(draft: IvrDraft): { readonly [member: string]: unknown } {
  const ivr = ivrOf(draft);
  return {
    ...Object.fromEntries(
      Object.entries(ivr).map(([member, value]) => [member, value === '' ? null : value]),
    ),
    name: draft.name.trim() === '' ? null : draft.name,
    description: draft.description,
    timeout: draft.timeout,
    incorrect_count: draft.incorrect_count,
    timeout_tries: draft.timeout_tries,
  };
}

/** Positions behind the last one that says something need not be there. */
function trimmed(list: readonly (string | null)[]): (string | null)[] {
  const last = list.findLastIndex((item) => item !== null);
  return list.slice(0, last + 1);
}

export function isSame(one: IvrDraft, other: IvrDraft): boolean {
  return one === other || JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));
}

export function withOption(draft: IvrDraft, index: number, change: Partial<OptionDraft>): IvrDraft {
  return {
    ...draft,
    options: draft.options.map((option, at) => (at === index ? { ...option, ...change } : option)),
  };
}

/** At the end: an option keeps its position, which pointers name, while others are edited. */
export function addOption(draft: IvrDraft, keys: string): IvrDraft {
  if (draft.options.length >= MAX_OPTIONS || draft.options.some((option) => option.keys === keys))
    return draft;
  const option: OptionDraft = { keys, destination: '', sms_template: null, webhook: null };
  return { ...draft, options: [...draft.options, option] };
}

export function removeOption(draft: IvrDraft, index: number): IvrDraft {
  return { ...draft, options: draft.options.filter((_, at) => at !== index) };
}

/** The places where something must still be chosen, as JSON pointers into what is sent. */
export function gapsOf(draft: IvrDraft): string[] {
  const gaps: string[] = [];
  if (draft.name.trim() === '') gaps.push('/name');
  if (draft.recording === '') gaps.push('/recording');
  if (draft.options.length === 0) gaps.push('/option');
  for (const [index, { destination }] of draft.options.entries())
    if (destination === '') gaps.push(`/destination/${index}`);
  const needed = [
    'incorrect_count',
    'invalid_recording',
    'invalid_destination',
    'timeout',
    'timeout_tries',
    'timeout_retry_recording',
    'timeout_recording',
    'timeout_destination',
  ] as const;
  for (const field of needed) if (draft[field] === '' || draft[field] === null) gaps.push(`/${field}`);
  return gaps;
}

/** Prompts that have to be chosen and are not, though a greeting is there that could be played instead. */
export function promptGaps(draft: IvrDraft): PromptField[] {
  if (draft.recording === '') return [];
  return PROMPT_FIELDS.filter((field) => field !== 'recording_invalid' && draft[field] === '');
}

/** The greeting wherever none is chosen yet. */
export function withGreeting(draft: IvrDraft): IvrDraft {
  return { ...draft, ...Object.fromEntries(promptGaps(draft).map((field) => [field, draft.recording])) };
}

/** What a pointer means in what is sent; lists have no pointers of their own below their items. */
export function valueAt(draft: IvrDraft, pointer: string): unknown {
  const [, field = '', index] = pointer.split('/');
  const value = bodyOf(draft)[field];
  return index === undefined || !Array.isArray(value) ? value : value[Number(index)];
}
