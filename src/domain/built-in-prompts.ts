// The spoken built-in prompts, and what each says in English. They are shipped in English and Hindi (assets/prompts, made by
// bin/make-sounds.js). In another language an account makes them from texts of its own: each is a recording with the id of
// promptRecordingId() (prompt-language.ts), which calls play in its place. What has none is heard in English.
import type { SystemPrompt } from '../flow/sound.ts';
import { isShipped, promptRecordingId } from './prompt-language.ts';

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const MINUTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NUMBERS.map((word, index) => [index + 2, word])),
  15: 'fifteen',
  20: 'twenty',
  30: 'thirty',
};

type Spoken = Exclude<SystemPrompt, 'music-on-hold' | 'please-wait'>;
const each = (entries: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries(entries);

/** By name, in the order in which they are shown. */
export const BUILT_IN_PROMPTS: Readonly<Record<string, string>> = {
  apology: 'Sorry, your call could not be connected.',
  // Waiting in a queue (src/flow/nodes/department.ts).
  'position-1': 'You are next in the queue.',
  ...each(NUMBERS.map((word, index) => [`position-${index + 2}`, `You are number ${word} in the queue.`])),
  'position-many': 'More than ten callers are before you.',
  'wait-1': 'The estimated wait is about one minute.',
  ...each(
    Object.entries(MINUTES).map(([minutes, word]) => [
      `wait-${minutes}`,
      `The estimated wait is about ${word} minutes.`,
    ]),
  ),
  'wait-many': 'The estimated wait is more than half an hour.',
  // Asking to be called back (src/flow/callback.ts).
  'callback-offer': 'You can keep your place in the queue and be called back. To be called back, press',
  'callback-number': 'We will call you back at this number.',
  'callback-confirm':
    'If that is right, press one. For another number, press two. To go on waiting, press star.',
  'callback-entry': 'Please enter the number to call back, then press the hash key.',
  'callback-saved': 'Thank you. You keep your place in the queue, and we will call you back. Good bye.',
  'callback-refused': 'You cannot be called back at that number. Please go on waiting.',
  'key-star': 'star',
  'key-hash': 'hash',
  ...each(['zero', 'one', ...NUMBERS.slice(0, 8)].map((word, digit) => [`digit-${digit}`, word])),
  // Asking for digits (src/flow/nodes/collect.ts).
  'digits-confirm': 'If that is right, press one. To enter it again, press two.',
  'voicemail-greeting': 'Please leave your message after the tone.',
  'message-saved': 'Thank you. Your message has been saved.',
  // At a conference room (src/flow/nodes/room.ts).
  'room-pin': 'Please enter the pin of the conference, then press the hash key.',
  'room-pin-wrong': 'That is not right. Please enter the pin, then press the hash key.',
  'room-name': 'After the tone, please say your name, then press the hash key.',
  // Confirmations of star codes (src/calls/features).
  'star-code-failed': 'That was not possible.',
  'agent-paused': 'You are paused.',
  'agent-resumed': 'You are available.',
  'signed-in': 'You are signed in.',
  'signed-out': 'You are signed out.',
  activated: 'Activated.',
  deactivated: 'Deactivated.',
} satisfies Partial<Record<Spoken, string>> & Record<string, string>;

export const PROMPT_NAMES: readonly string[] = Object.keys(BUILT_IN_PROMPTS);

/** The prompts that callers hear in English although the account's language is another. */
export function untranslated(language: string, has: (recordingId: string) => boolean): string[] {
  if (isShipped(language)) return [];
  return PROMPT_NAMES.filter((prompt) => !has(promptRecordingId(language, prompt)));
}
