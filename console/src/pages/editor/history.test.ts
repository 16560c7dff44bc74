import { describe, expect, it } from 'vitest';
import { changed, MAX_STEPS, REST_MS, redone, startHistory, undone } from './history.ts';

describe('the history of a draft', () => {
  it('goes back and forth step by step', () => {
    const third = changed(changed(startHistory('a'), 'b', null, 0), 'c', null, 1);
    expect(undone(third).present).toBe('b');
    expect(undone(undone(third)).present).toBe('a');
    expect(redone(undone(third)).present).toBe('c');
    expect(redone(third)).toBe(third);
    const first = startHistory('a');
    expect(undone(first)).toBe(first);
  });

  it('joins typing in one field to one step', () => {
    let history = startHistory('');
    for (const [at, text] of ['S', 'Sa', 'Sal', 'Sale'].entries())
      history = changed(history, text, 'name', at * 200);
    expect(history.past).toEqual(['']);
    expect(undone(history).present).toBe('');
  });

  it('begins a step after a rest, in another field, and after an undo', () => {
    const typed = changed(startHistory(''), 'a', 'name', 0);
    expect(changed(typed, 'ab', 'name', REST_MS + 1).past).toHaveLength(2);
    expect(changed(typed, 'ab', 'description', 1).past).toHaveLength(2);
    const again = redone(undone(typed));
    expect(changed(again, 'ab', 'name', 1).past).toHaveLength(2);
  });

  it('forgets what was undone when something else is changed', () => {
    const back = undone(changed(startHistory('a'), 'b', null, 0));
    expect(changed(back, 'c', null, 1).future).toEqual([]);
  });

  it('keeps no more steps than it may', () => {
    let history = startHistory(0);
    for (let step = 1; step <= MAX_STEPS + 50; step += 1) history = changed(history, step, null, step);
    expect(history.past).toHaveLength(MAX_STEPS);
    expect(history.past[0]).toBe(50);
  });

  it('takes no step for no change', () => {
    const history = startHistory('a');
    expect(changed(history, 'a', null, 0)).toBe(history);
  });
});
