import { expect, it } from 'vitest';
import { targetsOf } from './team-agents.ts';

const teams = [
  { id: '1', name: 'Days' },
  { id: '2', name: 'Nights' },
  { id: '3', name: 'Empty' },
];
const AGENTS: { readonly [team: string]: readonly { eid: string; name: string }[] } = {
  1: [
    { eid: 'a', name: 'Asha' },
    { eid: 'b', name: '' },
  ],
  2: [{ eid: 'c', name: 'Chen' }],
  3: [],
};
const read = async (team: string) => AGENTS[team] ?? [];

it('what is done to teams is done to their agents, each with the row that it was selected by', async () => {
  const { items, unread } = await targetsOf('team', 'hours', teams, read);
  expect(items).toEqual([
    { id: 'a', name: 'Asha', row: '1' },
    { id: 'b', name: 'b', row: '1' },
    { id: 'c', name: 'Chen', row: '2' },
  ]);
  expect(unread).toEqual([]);
});

it('a team whose agents cannot be read is reported, and the others are not held up by it', async () => {
  const refused = new Error('offline');
  const { items, unread } = await targetsOf('team', 'block', teams, (team) =>
    team === '1' ? Promise.reject(refused) : read(team),
  );
  expect(items.map(({ id }) => id)).toEqual(['c']);
  expect(unread).toEqual([{ item: teams[0], error: refused }]);
});

it('a deletion is about the teams themselves, and other lists are about their own rows', async () => {
  expect((await targetsOf('team', 'delete', teams, read)).items).toBe(teams);
  expect((await targetsOf('trunk', 'off', teams, read)).items).toBe(teams);
});
