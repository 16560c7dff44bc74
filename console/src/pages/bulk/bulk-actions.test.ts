import { expect, it } from 'vitest';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { BULK_EDITS, editOf } from './bulk-actions.ts';

it.each(keysOf(BULK_EDITS))('records of the kind %s can be edited and deleted together', (kind) => {
  const actions = keysOf(BULK_EDITS[kind]);
  expect(actions.at(-1)).toBe('delete');
  expect(actions.length).toBeGreaterThan(1);
});

it('what cannot be empty is required, and the rest may be taken away', () => {
  expect(editOf('trunk', 'maxCalls')).toMatchObject({ asks: { min: 1, max: 10_000 }, isRequired: true });
  expect(editOf('trunk', 'callerId')).toMatchObject({ asks: 'number', isRequired: false });
  expect(editOf('blocked_number', 'hours')).toBeUndefined();
});
