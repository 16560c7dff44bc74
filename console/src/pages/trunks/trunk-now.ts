// Whether a trunk works now, and why not, in words of the console.
import type { LiveTrunk } from '../../data/live-state.ts';
import type { Tone } from '../../kit/badge.tsx';
import type { Key } from '../../words/words.tsx';

export interface TrunkNow {
  readonly tone: Tone;
  readonly label: Key;
}

const NOW = {
  off: { tone: 'neutral', label: 'now.trunk.off' },
  unknown: { tone: 'neutral', label: 'now.unknown' },
  unregistered: { tone: 'bad', label: 'now.trunk.unregistered' },
  silent: { tone: 'bad', label: 'now.trunk.silent' },
  registered: { tone: 'good', label: 'now.trunk.registered' },
  answers: { tone: 'good', label: 'now.trunk.answers' },
  unchecked: { tone: 'neutral', label: 'now.trunk.unchecked' },
} as const satisfies Readonly<Record<string, TrunkNow>>;

/** Green only where the provider has answered. `state` undefined: not known. */
export function trunkNow(
  { enabled }: { readonly enabled: boolean },
  state: Pick<LiveTrunk, 'registered' | 'reachable'> | undefined,
): TrunkNow {
  if (!enabled) return NOW.off;
  if (!state) return NOW.unknown;
  if (state.registered === false) return NOW.unregistered;
  if (state.reachable === false) return NOW.silent;
  if (state.registered === true) return NOW.registered;
  return state.reachable === true ? NOW.answers : NOW.unchecked;
}

export interface Reason {
  readonly key: Key;
  readonly values: Readonly<Record<string, string>>;
}

/** The service's sentences, as src/sip/registration.ts writes them. Null: another one, shown as it is. */
export function reasonOf(problem: string): Reason | null {
  const [, host = ''] = /^(\S+) (?:has not answered|refuses)/.exec(problem) ?? [];
  if (problem.endsWith(' has not answered.')) return { key: 'now.trunk.why.silent', values: { host } };
  if (problem.endsWith(' refuses the user name or password.'))
    return { key: 'now.trunk.why.password', values: { host } };
  const refused = /refuses the registration: (.*)\.$/.exec(problem);
  if (refused) return { key: 'now.trunk.why.refused', values: { answer: refused[1] ?? '' } };
  return problem === 'The registration ran out.' ? { key: 'now.trunk.why.expired', values: {} } : null;
}
