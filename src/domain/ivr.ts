// A menu as the specification has it, in our one form: references as `kind||id`, counts as numbers, keys as text.
import type { Faults } from '../kinds/problem.ts';

export interface Ivr {
  readonly name: string;
  readonly description: string;
  readonly recording: string;
  /** Spoken in place of the recording, which is heard where that fails; a template. Null: the recording. */
  readonly text: string | null;
  readonly timeout: number;
  readonly option: readonly string[];
  /** Item i belongs to option i. */
  readonly destination: readonly string[];
  readonly incorrect_count: number;
  readonly invalid_recording: string;
  readonly invalid_destination: string;
  readonly timeout_retry_recording: string;
  readonly timeout_recording: string;
  readonly timeout_destination: string;
  readonly timeout_tries: number;
  /** Played before invalid_destination; null: invalid_recording is played there too. */
  readonly recording_invalid: string | null;
  /** Stored as it was sent, without effect. */
  readonly timeout_retries: number | null;
  readonly sms_template: readonly (string | null)[];
  /** Whether calls that come through here are recorded once they are connected. */
  readonly record_calls: boolean;
  /** Whether the keys that are pressed here are hidden in records and events. */
  readonly sensitive: boolean;
  /** `webhook||id` by position: it is sent an event when that option is chosen. */
  readonly webhook: readonly (string | null)[];
  /** In queues, of callers who choose the option by position; null: as before. */
  readonly option_priority: readonly (number | null)[];
  /** Calls and what must come of them; an update that breaks one is refused. */
  readonly tests: readonly StoredTest[];
}

/** Members that every menu has had from the first version on. */
type FirstMembers =
  | 'name'
  | 'description'
  | 'recording'
  | 'timeout'
  | 'option'
  | 'destination'
  | 'incorrect_count'
  | 'invalid_recording'
  | 'invalid_destination'
  | 'timeout_retry_recording'
  | 'timeout_recording'
  | 'timeout_destination'
  | 'timeout_tries';

export const IVR_DEFAULTS: Omit<Ivr, FirstMembers> = {
  text: null,
  recording_invalid: null,
  timeout_retries: null,
  sms_template: [],
  record_calls: false,
  sensitive: false,
  webhook: [],
  option_priority: [],
  tests: [],
};

/** A test case as flow/expect.ts reads it. */
export type StoredTest = { readonly [member: string]: unknown };

/** What no single field can know. */
export function checkIvr(ivr: Ivr, faults: Faults): void {
  const { option, destination, sms_template: sms, webhook, option_priority: priority } = ivr;
  if (option.length !== destination.length) {
    faults.add(
      '/destination',
      'destination_count_differs',
      `option has ${option.length} items and destination has ${destination.length}; item i of destination belongs to item i of option.`,
    );
  }
  if (sms.length > option.length) {
    faults.add(
      '/sms_template',
      'sms_template_too_many',
      `sms_template has ${sms.length} items, but there are only ${option.length} options.`,
    );
  }
  if (webhook.length > option.length) {
    faults.add(
      '/webhook',
      'webhook_too_many',
      `webhook has ${webhook.length} items, but there are only ${option.length} options.`,
    );
  }
  if (priority.length > option.length) {
    faults.add(
      '/option_priority',
      'list_too_long',
      `option_priority has ${priority.length} items, but there are only ${option.length} options.`,
    );
  }
  const first = new Map<string, number>();
  for (const [index, keys] of option.entries()) {
    // A malformed one has its fault already, and left a hole.
    if (keys === undefined) continue;
    const earlier = first.get(keys);
    if (earlier === undefined) first.set(keys, index);
    else
      faults.add(
        `/option/${index}`,
        'option_duplicate',
        `option ${index} is "${keys}", as option ${earlier} already is.`,
      );
  }
}
