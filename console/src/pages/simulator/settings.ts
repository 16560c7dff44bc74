import type { Ref } from '../../../../src/flow/node.ts';
import { readBehaviour } from '../../../../src/flow/simulation/scenario.ts';
import type { Conditions } from './call-conditions.ts';
import { type Outside, scriptedOutside } from './outside.ts';

export const BEHAVIOURS = [
  'answer',
  'busy',
  'busy 30s',
  'no-answer',
  'unreachable',
  'paused',
  'blocked',
] as const;
export type BehaviourWord = (typeof BEHAVIOURS)[number];
export interface Settings extends Outside {
  /** The value of a datetime-local field; empty: now. */
  readonly at: string;
  readonly caller: string;
  readonly agents: { readonly [agent: Ref]: BehaviourWord };
  readonly waiting: { readonly [department: Ref]: number };
  /** Who is signed out of some of the own departments, by department. */
  readonly signedOut: { readonly [department: Ref]: readonly Ref[] };
}

export const USUAL: Settings = {
  at: '',
  caller: '+15550100',
  agents: {},
  waiting: {},
  signedOut: {},
  requests: {},
  bots: {},
};

export function conditionsOf(settings: Settings, nowMs: number): Conditions {
  const atMs = settings.at === '' ? Number.NaN : new Date(settings.at).getTime();
  const agents: { [agent: Ref]: Conditions['agents'][Ref] } = {};
  for (const [ref, word] of Object.entries(settings.agents)) {
    const behaviour = readBehaviour(word);
    if (typeof behaviour !== 'string') agents[ref] = behaviour;
  }
  return {
    epochMs: Number.isNaN(atMs) ? nowMs : atMs,
    caller: settings.caller.trim() === '' ? null : settings.caller.trim(),
    agents,
    waiting: settings.waiting,
    signedOut: settings.signedOut,
    ...scriptedOutside(settings),
  };
}

/** For a datetime-local field, in the user's time zone. */
export function localText(epochMs: number): string {
  const date = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}
