// The outcome of a call's recordings.
import type { CallResult } from './call-record.ts';
import type { CallRecording } from './call-recordings.ts';

export interface Recorded extends Pick<CallResult, 'recording' | 'voicemail'> {
  readonly messageFailed: boolean;
}

export const NOT_RECORDED: Recorded = { recording: null, voicemail: null, messageFailed: false };

export interface StartedRecording {
  readonly kind: 'recording' | 'voicemail';
  readonly callRecording: CallRecording;
}

/** Waits until all are settled. An empty message counts as none. */
export async function recordedIn(recordings: readonly StartedRecording[]): Promise<Recorded> {
  const recorded: { -readonly [member in keyof Recorded]: Recorded[member] } = { ...NOT_RECORDED };
  for (const { kind, callRecording } of recordings) {
    const outcome = await callRecording.outcome;
    if (outcome === 'saved' || outcome === 'kept') recorded[kind] = callRecording.id;
    else if (kind === 'voicemail') recorded.messageFailed = outcome === 'failed';
  }
  return recorded;
}
