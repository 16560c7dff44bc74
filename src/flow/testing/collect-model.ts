// A second, naive implementation of a single collect and of a switch's rules for tests: walks over the fields with everything known
// in advance. It shares no code with the machine.

import type { CollectNode, SwitchNode } from '../logic-nodes.ts';
import type { Ref } from '../node.ts';
import type { Press } from './reference-model.ts';

export interface CollectRun {
  readonly heard: readonly { readonly recording: string; readonly atMs: number }[];
  readonly destination: Ref;
  readonly arrivedAtMs: number;
  readonly value: string | undefined;
}

/** Without reading back. */
export function walkCollect(
  node: CollectNode,
  durationMs: (recording: string) => number,
  interDigitMs: number,
  presses: readonly Press[],
): CollectRun {
  const heard: { recording: string; atMs: number }[] = [];
  const left = [...presses];
  let time = 0;
  let sounds = [node.recording ?? ''];
  for (let attempt = 1; ; attempt += 1) {
    const first = left[0];
    let end = time;
    for (const recording of sounds) {
      if (first === undefined || first.atMs >= end) heard.push({ recording, atMs: end });
      end += durationMs(recording);
    }
    let again = node.invalidRecording;
    const deadline = end + node.timeoutSeconds * 1_000;
    if (first === undefined || first.atMs >= deadline) {
      time = deadline;
      again = node.timeoutRecording;
    } else {
      let typed = '';
      for (let isOpen = true; isOpen; ) {
        const press = left.shift();
        if (press === undefined) throw new Error('a key is missing');
        time = press.atMs;
        const ends = press.key === node.finishKey && node.finishKey !== '';
        if (!ends) typed += press.key;
        isOpen = !ends && typed.length < node.maxDigits;
        const later = left[0];
        if (isOpen && (later === undefined || later.atMs - time > interDigitMs)) {
          time += interDigitMs;
          isOpen = false;
        }
      }
      const isNumber = typed !== '' && [...typed].every((key) => '0123456789'.includes(key));
      const fits = node.allowed.map((rule) =>
        'value' in rule
          ? rule.value === typed
          : 'length' in rule
            ? rule.length === typed.length
            : typed.indexOf(rule.prefix) === 0,
      );
      if (isNumber && typed.length >= node.minDigits && (fits.length === 0 || fits.includes(true)))
        return { heard, destination: node.next, arrivedAtMs: time, value: typed };
    }
    if (attempt === node.attempts)
      return { heard, destination: node.failed, arrivedAtMs: time, value: undefined };
    sounds = again === null ? [node.recording ?? ''] : [again, node.recording ?? ''];
  }
}

/** `values`: of all variables; templates are not among the rules. */
export function walkRules(node: SwitchNode, values: Readonly<Record<string, string>>): Ref {
  for (const { variable, operator, value, destination } of node.rules) {
    const found = values[variable] ?? '';
    const numbers = [found, value].map((text) => (/^-?\d+$/.test(text) ? Number(text) : Number.NaN));
    const [one = Number.NaN, other = Number.NaN] = numbers;
    const truth = {
      equals: found === value,
      not_equals: found !== value,
      starts_with: found.slice(0, value.length) === value,
      contains: found.split(value).length > 1 || value === '',
      in: value.replaceAll(' ', '').split(',').includes(found),
      greater: one > other,
      less: one < other,
      exists: found.length > 0,
      missing: found.length === 0,
    };
    if (truth[operator]) return destination;
  }
  return node.otherwise;
}
