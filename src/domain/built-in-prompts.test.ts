import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROMPT_NAMES, untranslated } from './built-in-prompts.ts';
import { isShipped, promptRecordingId } from './prompt-language.ts';

const NOT_SPOKEN = ['music-on-hold.wav', 'please-wait.wav'];
const soundsIn = (folder: string): string[] =>
  readdirSync(new URL(`../../assets/prompts/${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.wav') && !NOT_SPOKEN.includes(file))
    .map((file) => file.slice(0, -'.wav'.length))
    .sort();

it.each(['', 'hi'])('every shipped sound has its text, and every text its sound (%s)', (folder) => {
  expect(soundsIn(folder)).toEqual([...PROMPT_NAMES].sort());
});

it('a language that is shipped lacks nothing, and another what the account has not spoken', () => {
  const has = new Set([promptRecordingId('de', 'apology')]);
  expect(untranslated('hi', () => false)).toEqual([]);
  const missing = untranslated('de', (id) => has.has(id));
  expect(missing).toHaveLength(PROMPT_NAMES.length - 1);
  expect(missing).not.toContain('apology');
  expect([isShipped('en'), isShipped('de')]).toEqual([true, false]);
});

it('ids of recordings are as the API takes them', () => {
  for (const name of PROMPT_NAMES)
    expect(promptRecordingId('pt-br', name)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/);
});
