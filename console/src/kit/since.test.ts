import { expect, it } from 'vitest';
import { formats } from '../words/formats.ts';
import { sinceText } from './since.tsx';

it('shows minutes within an hour, then when it began', () => {
  const words = formats('en-GB');
  const at = '2026-11-17T10:00:00.000Z';
  const later = (ms: number): number => new Date(at).getTime() + ms;
  expect(sinceText(at, later(65_000), words)).toBe('1:05');
  expect(sinceText(at, later(-5_000), words)).toBe('0:00');
  expect(sinceText(at, later(2 * 3_600_000), words)).toBe(words.time(at));
  expect(sinceText(at, later(3 * 86_400_000), words)).toBe(words.date(at));
});
