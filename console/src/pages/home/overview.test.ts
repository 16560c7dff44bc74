import { describe, expect, it } from 'vitest';
import { adviceFor, greetingAt } from './overview.ts';

describe('the overview', () => {
  it('greets by the clock', () => {
    expect([0, 4, 11, 12, 17, 18, 23].map(greetingAt)).toEqual([
      'evening',
      'morning',
      'morning',
      'afternoon',
      'afternoon',
      'evening',
      'evening',
    ]);
  });

  it('sends those who have nothing to the first steps', () => {
    expect(adviceFor({ rings: false, errors: 0, missed: 0, trunks: 0, agents: 0 })).toEqual(['guide']);
  });

  it('names what is broken before what could be better', () => {
    expect(adviceFor({ rings: true, errors: 2, missed: 1, trunks: 0, agents: 1 })).toEqual([
      'errors',
      'missed',
      'trunk',
      'people',
    ]);
  });

  it('always has something to say', () => {
    expect(adviceFor({ rings: true, errors: 0, missed: 0, trunks: 1, agents: 5 })).toEqual(['try']);
  });
});
