// A second, naive implementation of a single menu for tests: one walk over the specification's fields with all key presses known in
// advance. It shares no code with the machine.

import type { MenuNode, Ref } from '../node.ts';

export interface Press {
  readonly atMs: number;
  readonly key: string;
}

export interface MenuRun {
  readonly heard: readonly { readonly recording: string; readonly atMs: number }[];
  readonly destination: Ref;
  readonly arrivedAtMs: number;
  readonly sms: string | null;
}

export function walkMenu(
  menu: MenuNode,
  durationMs: (recording: string) => number,
  interDigitMs: number,
  presses: readonly Press[],
): MenuRun {
  const heard: { recording: string; atMs: number }[] = [];
  const left = [...presses];
  const hashIsAnOption = menu.options.some((option) => option.keys.includes('#'));
  let time = 0;
  let invalidCounter = 0;
  let timeoutCounter = 0;
  let sounds = [menu.recording];

  for (;;) {
    // Listen: to the retry recording, if any, then the prompt, then the silence after it.
    let soundStart = time;
    const first = left[0];
    for (const recording of sounds) {
      if (first && first.atMs < soundStart) break;
      heard.push({ recording, atMs: soundStart });
      soundStart += durationMs(recording);
    }
    const deadline = time + sum(sounds.map(durationMs)) + menu.timeoutSeconds * 1000;

    if (!first || first.atMs >= deadline) {
      timeoutCounter += 1;
      time = deadline;
      if (timeoutCounter <= menu.timeoutTries) {
        sounds = [menu.timeoutRetryRecording, menu.recording];
        continue;
      }
      heard.push({ recording: menu.timeoutRecording, atMs: time });
      return {
        heard,
        destination: menu.timeoutDestination,
        arrivedAtMs: time + durationMs(menu.timeoutRecording),
        sms: null,
      };
    }

    // Collect keys.
    let typed = '';
    for (;;) {
      const press = left.shift();
      if (!press) break;
      time = press.atMs;
      if (press.key === '#' && !hashIsAnOption) break;
      typed += press.key;
      const possible = menu.options.filter((option) => option.keys.startsWith(typed));
      if (possible.length === 1 && possible[0]?.keys === typed) break;
      const next = left[0];
      if (!next || next.atMs >= press.atMs + interDigitMs) {
        time = press.atMs + interDigitMs;
        break;
      }
    }

    for (const option of menu.options) {
      if (option.keys === typed) {
        return { heard, destination: option.destination, arrivedAtMs: time, sms: option.smsTemplate };
      }
    }
    invalidCounter += 1;
    if (invalidCounter > menu.incorrectCount) {
      const last = menu.recordingInvalid === null ? menu.invalidRecording : menu.recordingInvalid;
      heard.push({ recording: last, atMs: time });
      return {
        heard,
        destination: menu.invalidDestination,
        arrivedAtMs: time + durationMs(last),
        sms: null,
      };
    }
    sounds = [menu.invalidRecording, menu.recording];
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
