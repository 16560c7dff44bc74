import { describe, expect, it } from 'vitest';
import { hasToken } from './header-tokens.ts';

describe('hasToken', () => {
  it.each([
    ['timer', true],
    ['100rel, Timer', true],
    ['100rel ,timer ;x=1,path', true],
    ['timers', false],
    ['100rel,time', false],
    ['x-timer', false],
    ['tim er', false],
    ['', false],
    [',,timer', true],
    ['timer,', true],
  ])('finds timer in %j: %j', (value, found) => {
    expect(hasToken({ headers: [['supported', value]] }, 'supported', 'timer')).toBe(found);
    expect(hasToken({ headers: [['require', value]] }, 'supported', 'timer')).toBe(false);
  });
});
