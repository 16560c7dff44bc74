// Collect: asks for digits as a menu asks for a key, with type-ahead, an inter-digit time and retries; may read them back.

import { inTemplate, played, pressed, unasked } from '../facts.ts';
import { setVariable } from '../filling.ts';
import { resolve } from '../flow.ts';
import { apologise } from '../hang-up.ts';
import type { AllowedDigits, CollectNode } from '../logic-nodes.ts';
import type { AskingDigits } from '../logic-phase.ts';
import type { Ref } from '../node.ts';
import { keyPrompt } from '../queueing.ts';
import type { NodeRules } from '../rules.ts';
import type { SystemPrompt } from '../sound.ts';
import { sayOrPlay } from '../speaking.ts';
import type { Turn } from '../turn.ts';

/** For 1 or 2 after the digits were read back. */
const CONFIRM_MS = 5_000;

function enterCollect(turn: Turn, node: CollectNode): Ref | null {
  turn.state.sensitive = node.sensitive ?? false;
  return ask(turn, node, 0);
}

const begin = ({ ref }: CollectNode, failures: number) =>
  ({ name: 'digits', node: ref, keys: '', failures, playback: 0, rest: [] }) as const;

/** Keys that were typed ahead answer without a question. */
function ask(turn: Turn, node: CollectNode, failures: number): Ref | null {
  const typed = turn.state.typedAhead;
  if (typed !== '') {
    turn.state.typedAhead = '';
    const keys = turn.shownAhead(typed);
    turn.note(node.ref, 'keys-typed-ahead', `The keys ${keys} were typed ahead: no prompt.`, { keys });
    return type(turn, node, { ...begin(node, failures), stage: 'typing' }, typed);
  }
  const playback = sayOrPlay(turn, node.ref, node, 'the question for digits');
  turn.to({ ...begin(node, failures), stage: 'ask', playback });
  return null;
}

function digitsKeyPressed(turn: Turn, phase: AskingDigits, key: string): Ref | null {
  const node = collectAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  if (phase.playback !== 0) turn.stopPlaying(phase.playback);
  turn.stopTimer('first-key');
  const keys = turn.shown(key);
  turn.note(node.ref, 'key-pressed', `The caller pressed ${keys}.`, { keys });
  if (phase.stage === 'confirm') return confirmed(turn, node, phase, key);
  return type(turn, node, { ...phase, stage: 'typing', playback: 0, rest: [] }, key);
}

/** Adds keys one by one; those behind the end of the input stay typed ahead for what comes next. */
function type(turn: Turn, node: CollectNode, phase: AskingDigits, added: string): Ref | null {
  let { keys } = phase;
  for (let index = 0; index < added.length; index += 1) {
    const key = added.charAt(index);
    const isEnd = key === node.finishKey;
    if (!isEnd) keys += key;
    if (!isEnd && keys.length < node.maxDigits) continue;
    turn.state.typedAhead = added.slice(index + 1);
    return settle(turn, node, { ...phase, keys });
  }
  turn.startTimer('inter-digit', turn.flow.settings.interDigitMs);
  turn.to({ ...phase, stage: 'typing', playback: 0, rest: [], keys });
  return null;
}

/** The question, what was said in place of it, or the digits have been heard. */
function digitsPlayed(turn: Turn, phase: AskingDigits): Ref | null {
  if (phase.playback === 0) return null;
  const node = collectAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  if (phase.stage === 'again') return ask(turn, node, phase.failures);
  if (phase.stage === 'confirm') return hear(turn, phase, phase.rest);
  if (node.timeoutSeconds === 0) return failedAttempt(turn, node, phase, 'timeout');
  turn.note(node.ref, 'waiting', `Waits ${node.timeoutSeconds} s for a key.`);
  turn.startTimer('first-key', node.timeoutSeconds * 1_000);
  turn.to({ ...phase, playback: 0 });
  return null;
}

/** No key, or no further one, came in time. */
function digitsTimedOut(turn: Turn, phase: AskingDigits): Ref | null {
  const node = collectAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  return phase.stage === 'typing' ? settle(turn, node, phase) : failedAttempt(turn, node, phase, 'timeout');
}

function settle(turn: Turn, node: CollectNode, phase: AskingDigits): Ref | null {
  turn.stopTimer('inter-digit');
  turn.state.hops = 0;
  if (!isAllowed(node, phase.keys)) return failedAttempt(turn, node, phase, 'invalid');
  return node.confirm ? readBack(turn, node, phase) : take(turn, node, phase.keys);
}

function isAllowed({ minDigits, maxDigits, allowed }: CollectNode, keys: string): boolean {
  if (keys.length < minDigits || keys.length > maxDigits || !/^[0-9]+$/.test(keys)) return false;
  return allowed.length === 0 || allowed.some((rule) => fits(rule, keys));
}

function fits(rule: AllowedDigits, keys: string): boolean {
  if ('value' in rule) return keys === rule.value;
  return 'length' in rule ? keys.length === rule.length : keys.startsWith(rule.prefix);
}

function readBack(turn: Turn, { ref }: CollectNode, phase: AskingDigits): Ref | null {
  // What was typed behind the digits may be the answer: only what is heard is confirmed.
  turn.dropTypedAhead(ref);
  const keys = turn.shown(phase.keys);
  turn.note(ref, 'digits-confirm', `Reads ${keys} back: 1 accepts, 2 asks again.`, { keys });
  return hear(turn, { ...phase, stage: 'confirm' }, [...[...phase.keys].map(keyPrompt), 'digits-confirm']);
}

function hear(turn: Turn, phase: AskingDigits, [first, ...rest]: readonly SystemPrompt[]): null {
  if (first === undefined) {
    turn.startTimer('first-key', CONFIRM_MS);
    turn.to({ ...phase, playback: 0, rest: [] });
  } else turn.to({ ...phase, playback: turn.playPart(first), rest });
  return null;
}

function confirmed(turn: Turn, node: CollectNode, phase: AskingDigits, key: string): Ref | null {
  turn.state.hops = 0;
  if (key === '1') return take(turn, node, phase.keys);
  return failedAttempt(turn, node, phase, key === '2' ? 'refused' : 'invalid');
}

function take(turn: Turn, node: CollectNode, keys: string): Ref {
  const shown = turn.shown(keys);
  const text = `The digits ${shown} are taken: it goes to ${turn.nameOf(node.next)}.`;
  turn.note(node.ref, 'digits-taken', text, { keys: shown, destination: node.next });
  setVariable(
    turn,
    node.ref,
    node.saveAs,
    node.sensitive ? { value: keys, sensitive: true } : { value: keys },
  );
  return node.next;
}

const SAID = {
  invalid: 'These digits are not allowed',
  timeout: 'No key came in time',
  refused: 'The caller wants to type again',
} as const;

/** What was typed behind a wrong input was meant for something else, so it is dropped. */
function failedAttempt(
  turn: Turn,
  node: CollectNode,
  phase: AskingDigits,
  why: keyof typeof SAID,
): Ref | null {
  turn.dropTypedAhead(node.ref);
  const failures = phase.failures + 1;
  if (failures >= node.attempts) {
    const text = `${SAID[why]}: all ${node.attempts} attempts are used up, so it goes to ${turn.nameOf(node.failed)}.`;
    turn.note(node.ref, 'digits-failed', text, { destination: node.failed });
    return node.failed;
  }
  turn.note(node.ref, 'digits-again', `${SAID[why]}: attempt ${failures + 1} of ${node.attempts}.`);
  const recording =
    why === 'timeout' ? node.timeoutRecording : why === 'invalid' ? node.invalidRecording : null;
  if (recording === null) return ask(turn, node, failures);
  const what = why === 'timeout' ? 'the time-out recording' : 'the invalid recording';
  turn.to({
    ...begin(node, failures),
    stage: 'again',
    playback: turn.playRecording(node.ref, recording, what),
  });
  return null;
}

/** Null only if a caller of step() swapped the flow under a living call, against call rule 10. */
function collectAt(turn: Turn, ref: Ref): CollectNode | null {
  const node = resolve(turn.flow, ref);
  return node?.kind === 'collect' ? node : null;
}

export const collect: NodeRules<CollectNode, 'digits'> = {
  enter: enterCollect,
  phases: {
    digits: {
      key: digitsKeyPressed,
      played: digitsPlayed,
      timers: { 'first-key': digitsTimedOut, 'inter-digit': digitsTimedOut },
    },
  },
  edges: ({ next, failed }) => [
    pressed('/next_destination', next),
    ...unasked('/failed_destination', failed),
  ],
  recordings: ({ recording, invalidRecording, timeoutRecording }) => [
    ...played('/recording', recording),
    ...played('/invalid_recording', invalidRecording),
    ...played('/timeout_recording', timeoutRecording),
  ],
  uses: ({ text = '' }) => inTemplate('/text', text),
  sets: ({ saveAs }) => [saveAs],
  serves: () => true,
};
