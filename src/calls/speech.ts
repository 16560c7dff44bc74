// PORT: how calls speak texts. service/open-speech.ts has the adapter.
import type { PlayableSound } from '../telephony/telephony.ts';

export interface CallText {
  readonly accountId: string;
  readonly text: string;
  /** The account's language, which selects the voice. */
  readonly language: string;
  /** Made of what the caller entered in secret: its sound is not kept. */
  readonly secret: boolean;
}

export type CallSpeechFailure = 'busy' | 'late' | 'failed';

/** As the trail says it. */
export const UNSPOKEN: Readonly<Record<CallSpeechFailure, string>> = {
  busy: 'too many are spoken at once',
  late: 'it took too long',
  failed: 'the speech engine failed',
};

export interface CallSpeech {
  /** Never rejects, and never takes longer than a call may wait. */
  speak(text: CallText): Promise<{ readonly sound: PlayableSound } | { readonly failure: CallSpeechFailure }>;
}

/** Where nothing is spoken, as in tests of other things. */
export const NO_SPEECH: CallSpeech = { speak: async () => ({ failure: 'failed' }) };
