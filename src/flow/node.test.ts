import { expect, test } from 'vitest';
import { referenceTo } from './node.ts';

test.each([
  ['menu', 'ivr||1'],
  ['agent', 'extension||1'],
  ['department', 'department||1'],
  ['announcement', 'announcement||1'],
  ['hours', 'timegroup||1'],
  ['number', 'number||1'],
  ['voicemail', 'voicemail||1'],
  ['hang-up', 'hangup||1'],
] as const)('a reference to the %s 1 is %s, as in the API', (kind, reference) => {
  expect(referenceTo(kind, '1')).toBe(reference);
});
