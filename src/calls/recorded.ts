// What became of the recordings of one call, once all of them are settled.
import type { CallResult } from './call-record.ts';
import type { Capture } from './captures.ts';

export interface Recorded extends Pick<CallResult, 'recording' | 'voicemail'> {
  readonly messageFailed: boolean;
}

export const NOT_RECORDED: Recorded = { recording: null, voicemail: null, messageFailed: false };

/** A message that turned out to be empty is none. */
export async function recordedIn(
  captures: readonly { readonly kind: 'recording' | 'voicemail'; readonly capture: Capture }[],
): Promise<Recorded> {
  const recorded: { -readonly [member in keyof Recorded]: Recorded[member] } = { ...NOT_RECORDED };
  for (const { kind, capture } of captures) {
    const outcome = await capture.outcome;
    if (outcome === 'saved' || outcome === 'kept') recorded[kind] = capture.id;
    else if (kind === 'voicemail') recorded.messageFailed = outcome === 'failed';
  }
  return recorded;
}
