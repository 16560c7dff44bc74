import { expect, it } from 'vitest';
import { office } from '../testing/office.ts';
import { MAX_REFUSED_PER_MINUTE } from './refused-call.ts';

const AGENT = { peer: { kind: 'phone', id: 'acme/1' } } as const;

it('a call of a phone to a number that leads nowhere, or may not be called, leaves a record that says why', async () => {
  const { telephony, rows } = office();
  expect(await telephony.call('nowhere', AGENT)).toMatchObject({ status: 404 });
  expect(await telephony.call('+19005551234', AGENT)).toMatchObject({ status: 403 });
  expect(await telephony.call('555', { peer: { kind: 'trunk', id: 'acme/t1' } })).toMatchObject({
    status: 404,
  });
  expect(
    rows.map(({ index, direction, json }) => [index?.outcome, direction, JSON.parse(json).trail[0].text]),
  ).toEqual([
    ['refused', 'internal', 'The number nowhere leads nowhere.'],
    ['refused', 'outbound', 'The number +19005551234 may not be called.'],
    ['refused', 'inbound', 'The number 555 leads nowhere.'],
  ]);
});

it('a stranger’s wrong number leaves none, and a phone that dials on and on fills no database', async () => {
  const { telephony, rows, clock } = office();
  expect(await telephony.call('nowhere')).toMatchObject({ status: 404 });
  expect(rows).toEqual([]);
  for (let each = 0; each < MAX_REFUSED_PER_MINUTE + 5; each++) await telephony.call('nowhere', AGENT);
  expect(rows).toHaveLength(MAX_REFUSED_PER_MINUTE);
  clock.advance(60_000);
  await telephony.call('nowhere', AGENT);
  expect(rows).toHaveLength(MAX_REFUSED_PER_MINUTE + 1);
});
