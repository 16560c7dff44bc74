import { expect, it } from 'vitest';
import { namesOf } from './deleted-names.ts';
import { nameReference } from './names.ts';

const t = (key: string, values: object = {}): string => `${key} ${JSON.stringify(values)}`;

it('has the name of the latest deletion under the reference that others use', () => {
  const names = namesOf([
    { kind: 'agent', record_id: '1', name: 'Asha Rao' },
    { kind: 'agent', record_id: '1', name: 'Asha' },
    { kind: 'ivr', record_id: 'main', name: 'Main menu' },
  ]);
  expect([...names]).toEqual([
    ['extension||1', 'Asha Rao'],
    ['ivr||main', 'Main menu'],
  ]);
});

it('what was deleted keeps its name, and is never shown as an id', () => {
  const names = new Map([['ivr||x7', 'Billing']]);
  const named = (reference: string): string =>
    nameReference(reference, new Map(), { t }, true, (one) => names.get(one) ?? null).name;
  expect(named('ivr||x7')).toBe('kit.deletedName {"name":"Billing"}');
  expect(named('ivr||y8')).toBe('kit.deletedName.unknown {}');
});

it('a parking spot is no department that was deleted', () => {
  const named = nameReference('department||parking 701', new Map(), { t });
  expect(named).toMatchObject({ name: 'kit.parkingSpot {"number":"701"}', missing: false, to: null });
});
