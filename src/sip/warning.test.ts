import { expect, it } from 'vitest';
import type { Headers } from './message.ts';
import { warningHeader, warningOf } from './warning.ts';

const read = (value: string) => warningOf({ headers: [['warning', value]] as unknown as Headers });

it('a warning is read with its code and its text, escapes undone', () => {
  expect(read('305 sbc.example.net:5060 "No \\"PCMU\\" in \\\\ offer", 399 x "second"')).toEqual({
    code: 305,
    text: 'No  PCMU  in   offer',
  });
});

it('what is no warning is none', () => {
  for (const value of ['', '305', '200 a "b"', '305 a b', '305  "b"', `399 ${'a'.repeat(256)} "b"`])
    expect(read(value), value).toBeNull();
  expect(warningOf({ headers: [] as unknown as Headers })).toBeNull();
});

it('a warning of ours fits into one quoted text of 200 characters, whatever it says', () => {
  const [name, value] = warningHeader({ code: 399, text: `a"b\\c\r\nX: d é${'e'.repeat(400)}` });
  expect(name).toBe('warning');
  expect(value).toMatch(/^399 dialtree "a b c {2}X: d {2}e+"$/);
  expect(value.length).toBe('399 dialtree ""'.length + 200);
});
