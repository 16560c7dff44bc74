import { expect, test } from 'vitest';
import { withNames } from './names.ts';

const names: Record<string, string> = {
  'ivr||main': 'Main menu',
  'extension||100001': 'Asha',
  'number||+4930': 'Dial +4930',
};
const nameOf = (reference: string) => ({ name: names[reference] ?? `missing ${reference}` });

test.each([
  ['A call from +15550100 to ivr||main.', 'A call from +15550100 to “Main menu”.'],
  [
    'Rings extension||100001 on 1001, number||+4930 for 25 s.',
    'Rings “Asha” on 1001, “Dial +4930” for 25 s.',
  ],
  [
    'Option 1 leads to ivr||main: no longer option begins like this.',
    'Option 1 leads to “Main menu”: no longer option begins like this.',
  ],
  ['hangup||busy does not exist.', '“missing hangup||busy” does not exist.'],
  ['Plays “a||b”.', 'Plays “a||b”.'],
])('%s is said as: %s', (text, said) => expect(withNames(text, nameOf)).toBe(said));
