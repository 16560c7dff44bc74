import { expect, it } from 'vitest';
import { reasonPhrase } from './reason-phrases.ts';

it.each([
  [100, 'Trying'],
  [199, 'Early Dialog Terminated'],
  [485, 'Ambiguous'],
  [608, 'Rejected'],
  // Those without a phrase of their own get that of their class.
  [150, 'Progress'],
  [250, 'Success'],
  [350, 'Redirection'],
  [450, 'Request Failure'],
  [550, 'Server Failure'],
  [650, 'Global Failure'],
  [700, 'Unknown'],
])('%d is %s', (status, phrase) => {
  expect(reasonPhrase(status)).toBe(phrase);
});
