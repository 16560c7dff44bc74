// The menu: rules 1 to 6 of the contract.

import type { MenuVisit, Phase } from '../call-state.ts';
import { inTemplate, played, pressed } from '../facts.ts';
import { resolve } from '../flow.ts';
import { apologise } from '../hang-up.ts';
import { ignoreKey } from '../keys.ts';
import { unsentSms } from '../lint/capability.ts';
import { retriesWithoutWait, shadowedOptions } from '../lint/menu-keys.ts';
import { missingWebhooks } from '../lint/missing-here.ts';
import { smsTemplates } from '../lint/sms-template.ts';
import type { MenuNode, MenuOption, RecordingId, Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import { sayOrPlay } from '../speaking.ts';
import { queueText } from '../texting.ts';
import type { Turn } from '../turn.ts';

/** A stuck button or a fax machine must not fill the state. */
export const LONGEST_INPUT = 32;

type Listening = Extract<Phase, { name: 'prompt' | 'waiting' | 'collecting' | 'retrying' }>;

function enterMenu(turn: Turn, menu: MenuNode): Ref | null {
  turn.state.sensitive = menu.sensitive ?? false;
  return startAttempt(turn, menu, { menu: menu.ref, invalid: 0, timeouts: 0 });
}

/** Plays the menu from its recording, unless the caller has already typed ahead (call rule 1). */
function startAttempt(turn: Turn, menu: MenuNode, visit: MenuVisit): Ref | null {
  const keys = turn.state.typedAhead;
  if (keys !== '') {
    turn.state.typedAhead = '';
    const shown = turn.shownAhead(keys);
    const text = `The keys ${shown} were typed ahead: no prompt.`;
    turn.note(menu.ref, 'keys-typed-ahead', text, { keys: shown });
    return collect(turn, menu, visit, '', keys);
  }
  const playback = sayOrPlay(turn, menu.ref, menu, 'the menu');
  turn.to({ name: 'prompt', visit, playback });
  return null;
}

/** A key while the menu listens: during its prompt, its wait, a sequence of keys, or a retry recording. */
function menuKeyPressed(turn: Turn, phase: Listening, key: string): Ref | null {
  const menu = menuOf(turn, phase.visit);
  if (!menu) return apologise(turn, phase.visit.menu, 'destination-missing');
  if ('playback' in phase) turn.stopPlaying(phase.playback);
  turn.stopTimer('first-key');
  const shown = turn.shown(key);
  turn.note(menu.ref, 'key-pressed', `The caller pressed ${shown}.`, { keys: shown });
  return collect(turn, menu, phase.visit, phase.name === 'collecting' ? phase.keys : '', key);
}

/** Adds keys one by one; those behind a match stay typed ahead for the next menu (call rule 2). */
function collect(turn: Turn, menu: MenuNode, visit: MenuVisit, before: string, added: string): Ref | null {
  let keys = before;
  for (let index = 0; index < added.length; index += 1) {
    const key = added.charAt(index);
    const rest = added.slice(index + 1);
    if (key === '#' && !menu.options.some((option) => option.keys.includes('#'))) {
      return settle(turn, menu, visit, keys, rest, `${turn.shown('#')} ended the input`);
    }
    keys += key;
    const longer = menu.options.some((option) => option.keys !== keys && option.keys.startsWith(keys));
    if (!longer && optionFor(menu, keys)) {
      return settle(turn, menu, visit, keys, rest, 'no longer option begins like this');
    }
    if (keys.length >= LONGEST_INPUT) {
      return settle(turn, menu, visit, keys, rest, 'no option has more keys than this');
    }
  }
  turn.startTimer('inter-digit', turn.flow.settings.interDigitMs);
  turn.to({ name: 'collecting', visit, keys });
  return null;
}

function interDigitExpired(turn: Turn, phase: Extract<Phase, { name: 'collecting' }>): Ref | null {
  const menu = menuOf(turn, phase.visit);
  if (!menu) return apologise(turn, phase.visit.menu, 'destination-missing');
  return settle(turn, menu, phase.visit, phase.keys, '', 'no further key came');
}

function settle(
  turn: Turn,
  menu: MenuNode,
  visit: MenuVisit,
  keys: string,
  rest: string,
  why: string,
): Ref | null {
  turn.stopTimer('inter-digit');
  // The caller did something: the chain of destinations without input begins anew (call rule 9).
  turn.state.hops = 0;
  turn.state.typedAhead = rest;
  const option = optionFor(menu, keys);
  return option ? matched(turn, menu, option, why) : invalid(turn, menu, visit, keys, why);
}

/** Call rule 3. */
function matched(turn: Turn, menu: MenuNode, option: MenuOption, why: string): Ref {
  const { destination, smsTemplate, webhook, priority } = option;
  const keys = turn.shown(option.keys);
  turn.note(menu.ref, 'option-matched', `Option ${keys} leads to ${turn.nameOf(destination)}: ${why}.`, {
    keys,
    destination,
    ...(webhook === undefined ? {} : { webhook }),
  });
  if (priority !== undefined) turn.state.priority = priority;
  if (smsTemplate !== null)
    queueText(turn, menu.ref, {
      template: smsTemplate,
      to: turn.state.caller,
      keys: option.keys,
      destination,
    });
  return destination;
}

/** Call rule 4. What was typed behind a wrong entry was meant for another menu, so it is dropped. */
function invalid(turn: Turn, menu: MenuNode, visit: MenuVisit, keys: string, why: string): null {
  turn.dropTypedAhead(menu.ref);
  const count = visit.invalid + 1;
  const shown = turn.shown(keys);
  const said = keys === '' ? `No key came before ${turn.shown('#')}` : `No option is ${shown}`;
  const after = { ...visit, invalid: count };
  if (count <= menu.incorrectCount) {
    const text = `${said} (${why}): retry ${count} of ${menu.incorrectCount}.`;
    turn.note(menu.ref, 'invalid-retry', text, { keys: shown });
    return retry(turn, menu, after, menu.invalidRecording, 'the invalid recording');
  }
  const next = menu.invalidDestination;
  const text = `${said} (${why}): all ${menu.incorrectCount} retries are used up, so it goes to ${turn.nameOf(next)}.`;
  turn.note(menu.ref, 'invalid-final', text, { keys: shown, destination: next });
  const recording = menu.recordingInvalid ?? menu.invalidRecording;
  return close(turn, menu, after, recording, 'the final invalid recording', next);
}

function promptEnded(turn: Turn, phase: Extract<Phase, { name: 'prompt' }>): null {
  const menu = menuOf(turn, phase.visit);
  if (!menu) return apologise(turn, phase.visit.menu, 'destination-missing');
  if (menu.timeoutSeconds === 0) return timedOut(turn, phase.visit);
  turn.note(menu.ref, 'waiting', `Waits ${menu.timeoutSeconds} s for a key.`);
  turn.startTimer('first-key', menu.timeoutSeconds * 1_000);
  turn.to({ name: 'waiting', visit: phase.visit });
  return null;
}

/** Call rule 5. */
function timedOut(turn: Turn, visit: MenuVisit): null {
  const menu = menuOf(turn, visit);
  if (!menu) return apologise(turn, visit.menu, 'destination-missing');
  const count = visit.timeouts + 1;
  const said = `No key within ${menu.timeoutSeconds} s`;
  const after = { ...visit, timeouts: count };
  if (count <= menu.timeoutTries) {
    turn.note(menu.ref, 'timeout-retry', `${said}: retry ${count} of ${menu.timeoutTries}.`);
    return retry(turn, menu, after, menu.timeoutRetryRecording, 'the time-out retry recording');
  }
  const next = menu.timeoutDestination;
  const text = `${said}: all ${menu.timeoutTries} retries are used up, so it goes to ${turn.nameOf(next)}.`;
  turn.note(menu.ref, 'timeout-final', text, { destination: next });
  return close(turn, menu, after, menu.timeoutRecording, 'the time-out recording', next);
}

function retryRecordingEnded(turn: Turn, phase: Extract<Phase, { name: 'retrying' }>): Ref | null {
  const menu = menuOf(turn, phase.visit);
  if (!menu) return apologise(turn, phase.visit.menu, 'destination-missing');
  return startAttempt(turn, menu, phase.visit);
}

function retry(turn: Turn, menu: MenuNode, visit: MenuVisit, recording: RecordingId, what: string): null {
  const playback = turn.playRecording(menu.ref, recording, what);
  turn.to({ name: 'retrying', visit, playback });
  return null;
}

function close(
  turn: Turn,
  menu: MenuNode,
  visit: MenuVisit,
  recording: RecordingId,
  what: string,
  next: Ref,
): null {
  const playback = turn.playRecording(menu.ref, recording, what);
  turn.to({ name: 'closing', visit, playback, next });
  return null;
}

function optionFor(menu: MenuNode, keys: string): MenuOption | undefined {
  return menu.options.find((option) => option.keys === keys);
}

/** Null only if a caller of step() swapped the flow under a living call, against call rule 10. */
function menuOf(turn: Turn, visit: MenuVisit): MenuNode | null {
  const node = resolve(turn.flow, visit.menu);
  return node?.kind === 'menu' ? node : null;
}

export const menu: NodeRules<MenuNode, 'prompt' | 'waiting' | 'collecting' | 'retrying' | 'closing'> = {
  enter: enterMenu,
  phases: {
    prompt: { key: menuKeyPressed, played: promptEnded },
    waiting: { key: menuKeyPressed, timers: { 'first-key': (turn, { visit }) => timedOut(turn, visit) } },
    collecting: { key: menuKeyPressed, timers: { 'inter-digit': interDigitExpired } },
    retrying: { key: menuKeyPressed, played: retryRecordingEnded },
    // The decision has been made: a late key must not be taken for the next menu's.
    closing: { key: ignoreKey, played: (_turn, { next }) => next },
  },
  edges: ({ options, invalidDestination, timeoutDestination }) => [
    ...options.map(({ destination }, index) => pressed(`/destination/${index}`, destination)),
    pressed('/invalid_destination', invalidDestination),
    { pointer: '/timeout_destination', to: timeoutDestination, onInput: false },
  ],
  recordings: (node) => [
    ...played('/recording', node.recording),
    ...played('/invalid_recording', node.invalidRecording),
    ...played('/recording_invalid', node.recordingInvalid),
    ...played('/timeout_retry_recording', node.timeoutRetryRecording),
    ...played('/timeout_recording', node.timeoutRecording),
  ],
  uses: ({ text = '' }) => inTemplate('/text', text),
  serves: () => true,
  missing: [missingWebhooks],
  lint: [shadowedOptions, retriesWithoutWait, smsTemplates, unsentSms],
};
