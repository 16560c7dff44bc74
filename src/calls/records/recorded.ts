// What became of the recordings of one call, once all of them are settled.
import type { CallResult } from './call-record.ts';
import type { ActiveRecording } from './call-recordings.ts';

export interface Recorded extends Pick<CallResult, 'recording' | 'voicemail'> {
  readonly messageFailed: boolean;
}

export const NOT_RECORDED: Recorded = { recording: null, voicemail: null, messageFailed: false };

/** A message that turned out to be empty is none. */
export async function recordedIn(
  callRecordings: readonly {
    readonly kind: 'recording' | 'voicemail';
    readonly callRecording: ActiveRecording;
  }[],
): Promise<Recorded> {
  const recorded: { -readonly [member in keyof Recorded]: Recorded[member] } = { ...NOT_RECORDED };
  for (const { kind, callRecording } of callRecordings) {
    const outcome = await callRecording.outcome;
    if (outcome === 'saved' || outcome === 'kept') recorded[kind] = callRecording.id;
    else if (kind === 'voicemail') recorded.messageFailed = outcome === 'failed';
  }
  return recorded;
}
