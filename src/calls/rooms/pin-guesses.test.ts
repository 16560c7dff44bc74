import { describe, expect, it } from 'vitest';
import { PIN_PAUSE_MS, PinGuesses, WRONG_PINS_PER_CALLER, WRONG_PINS_PER_ROOM } from './pin-guesses.ts';

const ROOM = 'acme room||r';
const from = (number: string | null) => ({ agent: null, number });
const AGENT = { agent: '100001', number: '1001' };

describe('wrong PINs of a room', () => {
  it('pause one caller, for a while', () => {
    const guesses = new PinGuesses();
    for (let wrong = 0; wrong < WRONG_PINS_PER_CALLER; wrong++) {
      expect(guesses.isPaused(ROOM, from('1'), wrong)).toBe(false);
      guesses.wrong(ROOM, from('1'), wrong);
    }
    const lastMs = WRONG_PINS_PER_CALLER - 1;
    expect(guesses.isPaused(ROOM, from('1'), lastMs)).toBe(true);
    expect(guesses.isPaused(ROOM, from('2'), lastMs)).toBe(false);
    expect(guesses.isPaused('acme room||other', from('1'), lastMs)).toBe(false);
    // More of them make it no longer.
    guesses.wrong(ROOM, from('1'), lastMs + 1_000);
    expect(guesses.isPaused(ROOM, from('1'), lastMs + PIN_PAUSE_MS - 1)).toBe(true);
    expect(guesses.isPaused(ROOM, from('1'), lastMs + PIN_PAUSE_MS)).toBe(false);
  });

  it('pause all callers but the phones of agents when numbers change', () => {
    const guesses = new PinGuesses();
    for (let wrong = 0; wrong < WRONG_PINS_PER_ROOM; wrong++) guesses.wrong(ROOM, from(`${wrong}`), 0);
    expect(guesses.isPaused(ROOM, from('new'), 1)).toBe(true);
    expect(guesses.isPaused(ROOM, AGENT, 1)).toBe(false);
    for (let wrong = 0; wrong < WRONG_PINS_PER_CALLER; wrong++) guesses.wrong(ROOM, AGENT, 1);
    expect(guesses.isPaused(ROOM, AGENT, 1)).toBe(true);
  });

  it('are forgotten for a caller who knows the PIN', () => {
    const guesses = new PinGuesses();
    for (let wrong = 1; wrong < WRONG_PINS_PER_CALLER; wrong++) guesses.wrong(ROOM, from(null), 0);
    guesses.right(ROOM, from(null));
    guesses.wrong(ROOM, from(null), 0);
    expect(guesses.isPaused(ROOM, from(null), 0)).toBe(false);
  });

  it('take bounded memory, whatever the number of callers', () => {
    const guesses = new PinGuesses();
    for (let wrong = 0; wrong < WRONG_PINS_PER_CALLER; wrong++) guesses.wrong(ROOM, from('1'), 0);
    for (let room = 0; room < 10_001; room++) guesses.wrong(`acme room||${room}`, AGENT, 0);
    expect(guesses.isPaused(ROOM, from('1'), 0)).toBe(false);
  });
});
