// The guide's menu: key 1, a timeout and wrong keys ring the agent.

import type { Operations } from '../../../../client/operations.ts';
import { keysOf } from '../../../../src/kinds/lists.ts';

export type IvrBody = Operations['createIvr']['body'];

/** Built-in recordings by purpose, named as in the demo so that they are stored once. */
export const BUILT_IN = {
  welcome: 'Welcome and choices',
  invalid: 'Not one of the choices',
  again: 'Are you still there?',
  connecting: 'One moment, we connect you',
} as const;
export type BuiltIn = keyof typeof BUILT_IN;
export const BUILT_INS: readonly BuiltIn[] = keysOf(BUILT_IN);

/** The keys that the built-in prompt names. */
const BUILT_IN_KEYS = ['1', '2', '0'] as const;

export interface MenuPlan {
  readonly name: string;
  readonly eid: string;
  /** Ids of recordings: the built-in ones, or the user's with the built-in "connecting". */
  readonly sounds:
    | { readonly kind: 'built'; readonly ids: Readonly<Record<BuiltIn, string>> }
    | { readonly kind: 'own'; readonly prompt: string; readonly connecting: string };
}

const recording = (id: string): string => `recording||${id}`;

export function menuBody({ name, eid, sounds }: MenuPlan): IvrBody {
  const agent = `extension||${eid}`;
  const keys = sounds.kind === 'built' ? [...BUILT_IN_KEYS] : ['1'];
  // A single recording of the user is used for all prompts.
  const heard =
    sounds.kind === 'built'
      ? sounds.ids
      : {
          welcome: sounds.prompt,
          invalid: sounds.prompt,
          again: sounds.prompt,
          connecting: sounds.connecting,
        };
  return {
    name,
    description: '',
    recording: recording(heard.welcome),
    timeout: 5,
    option: keys,
    destination: keys.map(() => agent),
    incorrect_count: 2,
    invalid_recording: recording(heard.invalid),
    invalid_destination: agent,
    timeout_retry_recording: recording(heard.again),
    timeout_recording: recording(heard.connecting),
    timeout_destination: agent,
    timeout_tries: 1,
    recording_invalid: recording(heard.connecting),
  };
}

/** The key that rings an agent, or the first one that is free. */
export function keyFor(
  option: readonly (string | number)[],
  destination: readonly string[],
  eid: string,
): { readonly keys: string; readonly leads: boolean } {
  const at = destination.indexOf(`extension||${eid}`);
  const found = option[at];
  if (at >= 0 && found !== undefined) return { keys: String(found), leads: true };
  const taken = new Set(option.map(String));
  const free = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'].find((key) => !taken.has(key));
  return { keys: free ?? '', leads: false };
}
