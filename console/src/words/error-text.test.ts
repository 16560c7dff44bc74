import { expect, it } from 'vitest';
import { problemText } from './error-text.ts';
import type { Words } from './words.tsx';

const WORDS: Record<string, string> = {
  'kit.kind.ivr': 'Menu',
  'kit.kind.timegroup': 'Opening hours',
  'kit.kind.sms_template': 'SMS template',
};
const t = ((key: string) => WORDS[key] ?? key) as Words['t'];

it('what still uses a record is named as the console names its kind, not as the API does', () => {
  const message =
    'This IVR is still used by ivr "Before it", timegroup "Day", sms_template "Hi". Add ?force=true to do it all the same.';
  expect(problemText({ code: 'still_referenced', message }, t)).toBe(
    'This menu is still used by menu "Before it", opening hours "Day", SMS template "Hi".',
  );
  expect(problemText({ code: 'key_taken', message: 'The ivr "x" is taken.' }, t)).toBe(
    'The ivr "x" is taken.',
  );
});
