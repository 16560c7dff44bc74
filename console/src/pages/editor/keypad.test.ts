import { describe, expect, it } from 'vitest';
import { addOption, emptyDraft } from './draft.ts';
import { freeKey, keypadOf, keysFault, neighbour } from './keypad.ts';

const draft = ['1', '10', '*', '123'].reduce(addOption, emptyDraft());

describe('the keypad of a menu', () => {
  it('has options of one key on their buttons and lists the longer ones', () => {
    const { keys, longer } = keypadOf(draft);
    expect(keys.map(({ key }) => key).join('')).toBe('123456789*0#');
    expect(keys.filter(({ placed }) => placed).map(({ key }) => key)).toEqual(['1', '*']);
    expect(longer.map(({ keys: text, index }) => [text, index])).toEqual([
      ['10', 1],
      ['123', 3],
    ]);
  });

  it('counts the longer options that begin with a key', () => {
    const { keys } = keypadOf(draft);
    expect(keys.map(({ longer }) => longer)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('goes from key to key with the arrows and stays at the edge', () => {
    expect(neighbour('5', 'ArrowUp')).toBe('2');
    expect(neighbour('5', 'ArrowLeft')).toBe('4');
    expect(neighbour('9', 'ArrowDown')).toBe('#');
    expect(neighbour('1', 'ArrowUp')).toBe('1');
    expect(neighbour('3', 'ArrowRight')).toBe('3');
    expect(neighbour('3', 'Tab')).toBe('3');
  });

  it('says what is wrong with keys', () => {
    expect(keysFault(draft, '', null)).toBe('empty');
    expect(keysFault(draft, '1a', null)).toBe('malformed');
    expect(keysFault(draft, '1234567', null)).toBe('malformed');
    expect(keysFault(draft, '10', null)).toBe('taken');
    expect(keysFault(draft, '10', 1)).toBeNull();
    expect(keysFault(draft, '01', null)).toBeNull();
  });

  it('finds a key that no option begins with', () => {
    expect(freeKey(draft)).toBe('2');
    const full = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*'].reduce(addOption, emptyDraft());
    expect(freeKey(full)).toBeNull();
  });
});
