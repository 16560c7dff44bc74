import { describe, expect, it } from 'vitest';
import { piecesOf } from './sentence.tsx';
import { shortcutOf } from './use-shortcuts.ts';

describe('a sentence with controls', () => {
  it('has its text and its slots in the order of the language', () => {
    expect(piecesOf('{prompt} चलाएँ, {times} बार')).toEqual([
      { slot: 'prompt', text: '{prompt}' },
      { slot: null, text: ' चलाएँ, ' },
      { slot: 'times', text: '{times}' },
      { slot: null, text: ' बार' },
    ]);
    expect(piecesOf('plain')).toEqual([{ slot: null, text: 'plain' }]);
  });
});

describe('shortcuts', () => {
  const press = (key: string, more: object = {}) =>
    shortcutOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });

  it('are the usual ones, with Ctrl or Cmd', () => {
    expect(press('z', { ctrlKey: true })).toBe('undo');
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe('redo');
    expect(press('y', { ctrlKey: true })).toBe('redo');
    expect(press('s', { ctrlKey: true })).toBe('save');
  });

  it('are nothing without them', () => {
    expect(press('z')).toBeNull();
    expect(press('z', { ctrlKey: true, altKey: true })).toBeNull();
    expect(press('x', { ctrlKey: true })).toBeNull();
  });
});
