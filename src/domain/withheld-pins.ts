// What roles that may not see PINs (roles.ts) see of the tests that a menu carries: one that enters a conference room types its PIN.
import { readScript, type ScriptStep, scriptText } from '../flow/simulation/script.ts';
import type { StoredTest } from '../kinds/ivr.ts';

/** In place of what is not shown: of any length, so that its length is not shown either. No telephone has such a key. */
export const WITHHELD = '••••';

interface WithPins {
  readonly pin: string | null;
  readonly host_pin: string | null;
}

export const pinsOf = ({ pin, host_pin }: WithPins): string[] =>
  [pin, host_pin].filter((each) => each !== null);

/** Looked up by length: an account may have many thousands of rooms. */
export interface Pins {
  readonly all: ReadonlySet<string>;
  readonly lengths: readonly number[];
}

export function pinsIn(pins: readonly string[]): Pins {
  const all = new Set(pins.filter((pin) => pin !== ''));
  return { all, lengths: [...new Set([...all].map(({ length }) => length))] };
}

export const typesPin = (test: StoredTest, pins: Pins): boolean => withoutPins(test, pins) !== test;

/** The test itself where it types none of them. */
export function withoutPins(test: StoredTest, pins: Pins): StoredTest {
  const given = test['script'] ?? '';
  const reading = readScript(given);
  if (!reading.ok) return test;
  const typing = stepsTyping(reading.steps, pins);
  if (typing.size === 0) return test;
  const hide = <Step>(step: Step, index: number): Step =>
    typing.has(index) ? { ...step, keys: WITHHELD } : step;
  return {
    ...test,
    script: Array.isArray(given) ? given.map(hide) : scriptText(reading.steps.map(hide)),
  };
}

/** Whether the service has left a PIN out of it. */
export const isWithheld = (test: StoredTest): boolean =>
  JSON.stringify(test['script'] ?? '').includes(WITHHELD);

/** A room takes the digits of its PIN one after the other, whichever steps press them: a menu before it may take the first keys of a step. */
function stepsTyping(steps: readonly ScriptStep[], { all, lengths }: Pins): ReadonlySet<number> {
  let keys = '';
  const stepOf: number[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'press') continue;
    keys += step.keys;
    for (const _key of step.keys) stepOf.push(index);
  }
  const typing = new Set<number>();
  for (let at = 0; at < keys.length; at++)
    for (const length of lengths)
      if (all.has(keys.slice(at, at + length)))
        for (const index of stepOf.slice(at, at + length)) typing.add(index);
  return typing;
}
