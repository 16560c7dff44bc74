import { expect, it } from 'vitest';
import { stepTone, withNames } from './step-text.ts';

it('names what the sentences of the service speak of', () => {
  const nameOf = (reference: string): string => (reference === 'extension||91001' ? 'Asha' : '?');
  expect(withNames('Option 1 leads to extension||91001: no longer option.', nameOf)).toBe(
    'Option 1 leads to “Asha”: no longer option.',
  );
  expect(withNames('Nothing || to name.', nameOf)).toBe('Nothing || to name.');
});

it('marks what went well and what went wrong', () => {
  expect(['connected', 'invalid-retry', 'key-pressed', 'ended', 'arrived'].map(stepTone)).toEqual([
    'good',
    'bad',
    'key',
    'end',
    'plain',
  ]);
});
