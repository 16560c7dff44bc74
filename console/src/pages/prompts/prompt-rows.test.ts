import { expect, it } from 'vitest';
import { csvText, readCsv } from '../../kit/csv.ts';
import { rowsOf, sheetOf, textsIn, unspoken } from './prompt-rows.ts';

const prompt = (name: string, translation: string | null) => ({
  name,
  text: `English of ${name}`,
  recording_id: `prompt.de.${name}`,
  recording_version: translation === null ? null : 1,
  translation,
  voice: null,
});
const menu = { id: 'prompt.de.menu-greeting', version: 3, text: 'Willkommen' };
const rows = rowsOf(
  { data: [prompt('apology', 'Verzeihung'), prompt('key-star', null)] },
  [menu],
  (which) => `prompt.de.menu-${which}`,
);
const named = (name: string) => rows.find((row) => row.name === name);

it('has the prompts of calls and those of new menus, with what the account has of them', () => {
  expect(named('apology')).toMatchObject({ group: 'calls', version: 1, translation: 'Verzeihung' });
  expect(named('menu-greeting')).toMatchObject({ group: 'menus', version: 3, translation: 'Willkommen' });
  expect(named('menu-closed')).toMatchObject({ version: null, translation: null });
});

it('what is to be spoken is what was typed and differs', () => {
  const typed = { apology: 'Verzeihung', 'key-star': ' Stern ', 'menu-closed': '  ' };
  expect(unspoken(rows, typed).map(({ name }) => name)).toEqual(['key-star']);
  expect(unspoken(rows, { apology: 'Oh' }).map(({ name }) => name)).toEqual(['apology']);
});

it('a list that is downloaded, filled in and read again has the texts, whatever is in them', () => {
  const sheet = sheetOf(rows, { 'key-star': 'Stern, "laut";\n=1+1' });
  expect(textsIn(readCsv(csvText(sheet)), rows)).toEqual({
    apology: 'Verzeihung',
    'key-star': 'Stern, "laut";\n=1+1',
    'menu-greeting': 'Willkommen',
  });
});

it('of a file of two columns, unknown names, empty texts and lone cells are left out', () => {
  expect(textsIn(readCsv('key-star;Stern\nno-such;x\napology;\nkey-star\n'), rows)).toEqual({
    'key-star': 'Stern',
  });
  expect(textsIn(readCsv(''), rows)).toEqual({});
});
