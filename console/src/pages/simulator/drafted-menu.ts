// A menu as an editor holds it: each key with all that belongs to it, and gaps where nothing is chosen yet. Whatever has these
// members will do; a gap leads nowhere, and the call says so.

import type { UnsavedMenu } from './browser-flow.ts';

export interface DraftedMenu {
  readonly name: string;
  readonly description: string;
  readonly recording: string;
  readonly timeout: number | null;
  readonly options: readonly {
    readonly keys: string;
    readonly destination: string;
    readonly sms_template: string | null;
    readonly webhook: string | null;
  }[];
  readonly incorrect_count: number | null;
  readonly invalid_recording: string;
  readonly recording_invalid: string;
  readonly invalid_destination: string;
  readonly timeout_retry_recording: string;
  readonly timeout_recording: string;
  readonly timeout_destination: string;
  readonly timeout_tries: number | null;
  readonly record_calls: boolean;
}

export function draftedIvr(draft: DraftedMenu): UnsavedMenu['ivr'] {
  const { options } = draft;
  return {
    name: draft.name,
    description: draft.description,
    recording: draft.recording,
    timeout: draft.timeout ?? 0,
    option: options.map(({ keys }) => keys),
    destination: options.map(({ destination }) => destination),
    sms_template: options.map(({ sms_template }) => sms_template),
    webhook: options.map(({ webhook }) => webhook),
    incorrect_count: draft.incorrect_count ?? 0,
    invalid_recording: draft.invalid_recording,
    recording_invalid: draft.recording_invalid === '' ? null : draft.recording_invalid,
    invalid_destination: draft.invalid_destination,
    timeout_retry_recording: draft.timeout_retry_recording,
    timeout_recording: draft.timeout_recording,
    timeout_destination: draft.timeout_destination,
    timeout_tries: draft.timeout_tries ?? 0,
    record_calls: draft.record_calls,
  };
}
