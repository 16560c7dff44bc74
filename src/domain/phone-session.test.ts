import { expect, test } from 'vitest';
import { shownPage } from './phone-session.ts';

test.each([
  ['https://www.example.com/prices', 'https://www.example.com/prices'],
  ['https://www.example.com/reset?token=secret&x=1', 'https://www.example.com/reset'],
  ['https://www.example.com/reset#token=secret', 'https://www.example.com/reset'],
  ['https://asha:secret@www.example.com/prices', 'https://www.example.com/prices'],
  ['https://a@b:secret@www.example.com/prices', 'https://www.example.com/prices'],
  ['https://www.example.com/@asha/prices', 'https://www.example.com/@asha/prices'],
  ['https://www.example.com', 'https://www.example.com'],
  ['Prices?token=secret', 'Prices'],
  ['asha@example.com', 'asha@example.com'],
  ['', ''],
])('of the page %s a record has %s', (page, shown) => {
  expect(shownPage(page)).toBe(shown);
});
