import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlockedNumber, blockKey } from '../kinds/blocked-number.ts';
import { numberKey } from '../kinds/number-text.ts';
import { BlockList, blockedBy } from './blocked-number.ts';
import { Numbering } from './numbering.ts';

const entry = (number: string | null, more: Partial<BlockedNumber> = {}): BlockedNumber => ({
  number,
  anonymous: number === null && !more.verstat,
  verstat: null,
  dialled: null,
  reason: '',
  ...more,
});

const germany = new Numbering({ country: 'DE', area_code: '30' });

function listOf(...entries: BlockedNumber[]): BlockList {
  const list = new BlockList();
  for (const each of entries) list.add(each);
  return list;
}

describe('a block list', () => {
  it('without entries blocks no caller', () => {
    expect(new BlockList().isEmpty).toBe(true);
    expect(new BlockList().find('+4930', '100')).toBeNull();
  });

  it('knows a number however it is written', () => {
    const list = listOf(entry('+4930123'));
    for (const caller of ['+4930123', '4930123', '+49 (30) 12-3'])
      expect(list.find(caller, '100')).not.toBeNull();
    for (const caller of ['+49301234', '+493012', '030123', 'alice', '', null])
      expect(list.find(caller, '100')).toBeNull();
  });

  it('holds for callers whose verification failed, or did not pass, where an entry says so', () => {
    const list = listOf(
      entry(null, { verstat: 'failed', dialled: '100' }),
      entry('+49900*', { verstat: 'unverified' }),
    );
    expect(list.find('+4930', '100', 'failed')).not.toBeNull();
    expect(list.find(null, '100', 'failed')).not.toBeNull();
    for (const verstat of ['passed', 'none', null] as const)
      expect(list.find('+4930', '100', verstat)).toBeNull();
    expect(list.find('+4930', '200', 'failed')).toBeNull();
    for (const verstat of ['failed', 'none', null] as const)
      expect(list.find('+499001', '200', verstat)).not.toBeNull();
    expect(list.find('+499001', '200', 'passed')).toBeNull();
    // An entry without a condition holds whatever the network says.
    expect(listOf(entry('+4930')).find('+4930', '1', 'passed')).not.toBeNull();
  });

  it('names its entries by the verification, too', () => {
    expect(blockKey(entry(null, { verstat: 'failed' }))).toBe('everyone whose verification failed');
    expect(blockKey(entry(null))).toBe('withheld');
    expect(blockKey(entry('+49900*', { verstat: 'unverified', dialled: '100' }))).toBe(
      '49900* without verification for calls to 100',
    );
    expect(blockedBy(entry(null, { verstat: 'failed', reason: 'forged' }))).toBe(
      'The block list has callers whose verification failed (forged): the call is refused.',
    );
  });

  it('takes a prefix with and without the plus, and the number that is all of it', () => {
    const list = listOf(entry('49900*'));
    for (const caller of ['+49900', '+499001', '49900123456789'])
      expect(list.find(caller, '1')).not.toBeNull();
    for (const caller of ['+4990', '+49901', '']) expect(list.find(caller, '1')).toBeNull();
  });

  it('keeps those who withhold their number out only where it says so', () => {
    expect(listOf(entry('1*')).find(null, '100')).toBeNull();
    expect(listOf(entry(null)).find(null, '100')).not.toBeNull();
    expect(listOf(entry(null)).find('+4930', '100')).toBeNull();
    const forOne = listOf(entry(null, { dialled: '+100' }));
    expect(forOne.find(null, '100')).not.toBeNull();
    expect(forOne.find(null, '200')).toBeNull();
  });

  it('knows all forms of a number once the country is known (T44)', () => {
    for (const number of ['+49301234567', '0301234567', '0049301234567', '1234567']) {
      const list = new BlockList(germany);
      list.add(entry(number));
      for (const caller of ['+49301234567', '49301234567', '0049301234567', '0301234567', '1234567'])
        expect(list.find(caller, '100'), `${number} ${caller}`).not.toBeNull();
      for (const caller of ['+49301234568', '0401234567', '+1301234567', '123456'])
        expect(list.find(caller, '100'), `${number} ${caller}`).toBeNull();
    }
  });

  it.each([
    ['0900*', ['+499001', '0900123', '0049900123'], ['+1900123', '030900']],
    ['001900*', ['+19005550123', '0019005550123', '19005550123'], ['0900123456', '+49900']],
    ['+1900*', ['+19005550123', '0019005550123', '19005550123'], ['0900123456', '+49900']],
  ])('knows the forms of a beginning: %s', (number, blocked, free) => {
    const list = new BlockList(germany);
    list.add(entry(number));
    for (const caller of blocked) expect(list.find(caller, '1'), caller).not.toBeNull();
    for (const caller of free) expect(list.find(caller, '1'), caller).toBeNull();
  });

  it('knows a number behind 00 without a country', () => {
    const list = listOf(entry('+49301234567'));
    expect(list.find('0049301234567', '100')).not.toBeNull();
    expect(list.find('0301234567', '100')).toBeNull();
  });

  it('finds what looking through all entries finds', () => {
    const digits = fc.string({ unit: fc.constantFrom('0', '1', '2', '+'), minLength: 1, maxLength: 5 });
    const number = digits.map((text) => text.replaceAll('+', '') || '1');
    const written = fc.tuple(number, fc.constantFrom('', '*'), fc.constantFrom('', '+'));
    const entries = fc.array(
      fc
        .tuple(written, fc.constantFrom(null, '1', '+12'))
        .map(([[text, star, plus], dialled]) => entry(plus + text + star, { dialled })),
      { maxLength: 8 },
    );
    const slow = (all: readonly BlockedNumber[], caller: string, dialled: string): boolean =>
      all.some((each) => {
        if (each.dialled !== null && numberKey(each.dialled) !== numberKey(dialled)) return false;
        const text = (each.number ?? '').replace('+', '');
        return text.endsWith('*') ? caller.startsWith(text.slice(0, -1)) : caller === text;
      });
    fc.assert(
      fc.property(entries, number, fc.constantFrom('1', '12', '2'), (all, caller, dialled) => {
        expect(listOf(...all).find(caller, dialled) !== null).toBe(slow(all, caller, dialled));
      }),
    );
  });
});

describe('an entry', () => {
  it('is the same as another that blocks the same calls', () => {
    expect(blockKey(entry('+49*'))).toBe(blockKey(entry('49*')));
    expect(blockKey(entry('49'))).not.toBe(blockKey(entry('49*')));
    expect(blockKey(entry('49', { dialled: '+100' }))).toBe('49 for calls to 100');
    expect(blockKey(entry(null))).toBe('withheld');
  });

  it('gives the reason as text', () => {
    expect(blockedBy(entry(null, { dialled: '100' }))).toBe(
      'The block list has withheld numbers for calls to 100: the call is refused.',
    );
  });
});
