// A menu while it is edited: each option with its fields, and gaps where nothing is chosen yet. The API has parallel lists
// without gaps; only this file knows both forms.
import type { Ivr, StoredTest } from '../../../../src/kinds/ivr.ts';

export interface OptionDraft {
  /** One key of a telephone, or several, such as 10. */
  readonly keys: string;
  /** `kind||id`; empty: not chosen yet. */
  readonly destination: string;
  readonly sms_template: string | null;
  /** `webhook||id`. */
  readonly webhook: string | null;
  /** In queues, of who chooses it; null: as before. */
  readonly priority: number | null;
}

export interface IvrDraft {
  readonly name: string;
  readonly description: string;
  /** `recording||id`; empty: not chosen yet. */
  readonly recording: string;
  /** Spoken in its place; empty: not. */
  readonly text: string;
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
  /** Kept as it is: it has no effect. */
  readonly timeout_retries: number | null;
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

/** The API's limit. */
export const MAX_OPTIONS = 50;
export const MAX_KEYS = 6;

/** Defaults for most menus; recordings and destinations are left open. */
export function emptyDraft(): IvrDraft {
  return {
    name: '',
    description: '',
    recording: '',
    text: '',
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
    timeout_retries: null,
    record_calls: false,
    sensitive: false,
    tests: [],
  };
}

export function draftOf(ivr: Ivr): IvrDraft {
  const { option, destination, sms_template, webhook, option_priority, recording_invalid, tests } = ivr;
  return {
    name: ivr.name,
    description: ivr.description,
    recording: ivr.recording,
    text: ivr.text ?? '',
    timeout: ivr.timeout,
    options: option.map((keys, index) => ({
      keys,
      destination: destination[index] ?? '',
      sms_template: sms_template[index] ?? null,
      webhook: webhook[index] ?? null,
      priority: option_priority[index] ?? null,
    })),
    incorrect_count: ivr.incorrect_count,
    invalid_recording: ivr.invalid_recording,
    recording_invalid: recording_invalid ?? '',
    invalid_destination: ivr.invalid_destination,
    timeout_retry_recording: ivr.timeout_retry_recording,
    timeout_recording: ivr.timeout_recording,
    timeout_destination: ivr.timeout_destination,
    timeout_tries: ivr.timeout_tries,
    timeout_retries: ivr.timeout_retries,
    record_calls: ivr.record_calls,
    sensitive: ivr.sensitive,
    tests,
  };
}

/** The menu for the linter and the simulator: gaps become empty references and 0. */
export function ivrOf(draft: IvrDraft): Ivr {
  const { options, recording_invalid, text, timeout, incorrect_count, timeout_tries, ...rest } = draft;
  return {
    ...rest,
    text: text === '' ? null : text,
    timeout: timeout ?? 0,
    incorrect_count: incorrect_count ?? 0,
    timeout_tries: timeout_tries ?? 0,
    recording_invalid: recording_invalid === '' ? null : recording_invalid,
    option: options.map(({ keys }) => keys),
    destination: options.map(({ destination }) => destination),
    sms_template: trimmed(options.map(({ sms_template }) => sms_template)),
    webhook: trimmed(options.map(({ webhook }) => webhook)),
    option_priority: trimmed(options.map(({ priority }) => priority)),
  };
}

/** The request body. A gap is sent as null: the service reports all missing fields at once. */
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

/** Drops empty entries at the end. */
function trimmed<T>(list: readonly (T | null)[]): (T | null)[] {
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

/** Appended: options keep their index, which JSON pointers use, while others are edited. */
export function addOption(draft: IvrDraft, keys: string): IvrDraft {
  if (draft.options.length >= MAX_OPTIONS || draft.options.some((option) => option.keys === keys))
    return draft;
  const option: OptionDraft = { keys, destination: '', sms_template: null, webhook: null, priority: null };
  return { ...draft, options: [...draft.options, option] };
}

export function removeOption(draft: IvrDraft, index: number): IvrDraft {
  return { ...draft, options: draft.options.filter((_, at) => at !== index) };
}

/** The gaps that only the user can fill, as JSON pointers into the request body. Prompts and ways have defaults. */
export function gapsOf(draft: IvrDraft): string[] {
  const gaps: string[] = [];
  if (draft.name.trim() === '') gaps.push('/name');
  if (draft.options.length === 0) gaps.push('/option');
  for (const [index, { destination }] of draft.options.entries())
    if (destination === '') gaps.push(`/destination/${index}`);
  for (const field of COUNT_FIELDS) if (draft[field] === null) gaps.push(`/${field}`);
  return gaps;
}

/** Required prompts that are not chosen, if there is a greeting to use instead. */
export function promptGaps(draft: IvrDraft): PromptField[] {
  if (draft.recording === '') return [];
  return PROMPT_FIELDS.filter((field) => field !== 'recording_invalid' && draft[field] === '');
}

/** Uses the greeting for every prompt that is not chosen. */
export function withGreeting(draft: IvrDraft): IvrDraft {
  return { ...draft, ...Object.fromEntries(promptGaps(draft).map((field) => [field, draft.recording])) };
}

/** The value at a JSON pointer of the request body. */
export function valueAt(draft: IvrDraft, pointer: string): unknown {
  const [, field = '', index] = pointer.split('/');
  const value = bodyOf(draft)[field];
  return index === undefined || !Array.isArray(value) ? value : value[Number(index)];
}
