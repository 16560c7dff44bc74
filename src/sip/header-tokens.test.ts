import { describe, expect, it } from 'vitest';
import { hasToken, readSeconds } from './header-tokens.ts';

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

describe('readSeconds', () => {
  it.each([
    [undefined, undefined],
    ['60', 60],
    ['0', 0],
    ['1000000000;x', 1_000_000_000],
    ['99 (a comment)', 99],
    ['99(a comment)', 99],
    ['99\t;refresher=uac', 99],
    ['4294967295', 0xffffffff],
    ['4294967296', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['6:0', undefined],
    ['60s', undefined],
    ['/60', undefined],
  ])('reads %j as %j', (value, seconds) => {
    expect(readSeconds(value)).toBe(seconds);
  });
});
