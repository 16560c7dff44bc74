// What a star code does: one function per row of routing/star-codes.ts, listed in features.ts.
import type { Agent } from '../../kinds/agent.ts';
import type { IncomingCall, PlayableSound, Refusal } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import type { Destination } from '../routing/dialling.ts';
import type { DialledCode } from '../routing/star-codes.ts';

export interface FeatureAsked {
  readonly context: AccountContext;
  /** Whose phone dialled it: authenticated by digest. */
  readonly agent: Agent;
  /** As AgentStates names the agent. */
  readonly agentId: string;
  readonly dialled: DialledCode;
  readonly call: IncomingCall;
}

/** The built-in prompts of star codes (assets/prompts, made by bin/make-sounds.js). */
export type FeaturePrompt =
  | `digit-${number}`
  | 'star-code-failed'
  | 'agent-paused'
  | 'agent-resumed'
  | 'signed-in'
  | 'signed-out'
  | 'activated'
  | 'deactivated';

export type FeatureOutcome =
  /** The call is answered, hears the sounds and ends. `done`: what its record says. `isFailed`: nothing was changed. */
  | {
      readonly says: readonly PlayableSound[];
      readonly done: string;
      readonly isFailed?: true;
    }
  /** It goes on as an ordinary call, which has not been answered. */
  | { readonly to: Destination }
  /** It answers a call that rings at one of these agents. */
  | { readonly picksUpAt: ReadonlySet<string> }
  | { readonly refusal: Refusal };

export type Feature = (asked: FeatureAsked) => FeatureOutcome | Promise<FeatureOutcome>;

export const prompt = (name: FeaturePrompt): PlayableSound => ({ kind: 'system', prompt: name });

/** Digit by digit. */
export const spokenDigits = (digits: string): PlayableSound[] =>
  [...digits].map((digit) => prompt(`digit-${Number(digit)}`));

export const failed = (done: string, says: FeaturePrompt = 'star-code-failed'): FeatureOutcome => ({
  says: [prompt(says)],
  done,
  isFailed: true,
});
