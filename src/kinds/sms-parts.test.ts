import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { septetsOf, textOfSeptets } from './gsm-alphabet.ts';
import { splitSms } from './sms-parts.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 500);
const septetCount = (text: string): number =>
  [...text].reduce((sum, character) => sum + (septetsOf(character)?.length ?? 99), 0);
const lengths = (text: string) => splitSms(text).parts.map((part) => part.length);

const BASIC = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà';
const EXTENDED = '^{}\\[~]|€\f';
const gsmText = fc.string({ unit: fc.constantFrom(...BASIC, ...EXTENDED), maxLength: 700 });
const anyText = fc.string({ unit: 'grapheme', maxLength: 400 });

describe('a text message', () => {
  test('has 160 characters alone and 153 in each of several', () => {
    expect(splitSms('a'.repeat(160))).toEqual({ coding: 'gsm7', parts: ['a'.repeat(160)] });
    expect(lengths('a'.repeat(161))).toEqual([153, 8]);
    expect(lengths('a'.repeat(307))).toEqual([153, 153, 1]);
    expect(splitSms('')).toEqual({ coding: 'gsm7', parts: [''] });
  });

  test('counts a character of the extension twice, and never tears it from its escape', () => {
    expect(lengths('€'.repeat(80))).toEqual([80]);
    expect(lengths('€'.repeat(81))).toEqual([76, 5]);
    expect(lengths(`${'a'.repeat(152)}€${'b'.repeat(10)}`)).toEqual([152, 11]);
  });

  test('with a character outside the alphabet has 70 units alone and 67 in each of several', () => {
    expect(splitSms('ж'.repeat(70))).toEqual({ coding: 'ucs2', parts: ['ж'.repeat(70)] });
    expect(lengths('ж'.repeat(71))).toEqual([67, 4]);
    expect(splitSms(`${'a'.repeat(69)}ç`).coding).toBe('ucs2');
  });

  test('keeps surrogate pairs, combined letters and families in one part', () => {
    expect(lengths('😀'.repeat(36))).toEqual([66, 6]);
    const e = 'e\u0301\u0302';
    expect(splitSms(`${'ж'.repeat(66)}${e}${'ж'.repeat(9)}`).parts[1]).toBe(`${e}${'ж'.repeat(9)}`);
    const family = '👨‍👩‍👧‍👦';
    expect(splitSms(`${'ж'.repeat(60)}${family}ж`).parts).toEqual(['ж'.repeat(60), `${family}ж`]);
  });

  test('one character that is longer than a part is cut between code points', () => {
    const tower = `z${'\u0301'.repeat(200)}`;
    expect(splitSms(tower).parts.join('')).toBe(tower);
    expect(Math.max(...lengths(tower))).toBeLessThanOrEqual(67);
  });

  test('of the alphabet: its parts make the text again, and none is too long', () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const { coding, parts } = splitSms(text);
        expect(coding).toBe('gsm7');
        expect(parts.join('')).toBe(text);
        const most = parts.length === 1 ? 160 : 153;
        for (const part of parts) expect(septetCount(part)).toBeLessThanOrEqual(most);
        if (parts.length > 1) expect(septetCount(text)).toBeGreaterThan(160);
      }),
      { numRuns: RUNS },
    );
  });

  test('of any text: its parts make the text again, none is too long or ends in half a pair', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { coding, parts } = splitSms(text);
        expect(parts.join('')).toBe(text);
        if (coding === 'gsm7') return;
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(parts.length === 1 ? 70 : 67);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('of the alphabet goes to septets and back', () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const octets = Uint8Array.from([...text].flatMap((character) => [...(septetsOf(character) ?? [])]));
        expect(textOfSeptets(octets)).toBe(text);
      }),
      { numRuns: RUNS },
    );
    expect(textOfSeptets(Uint8Array.of(0x1b, 0x00))).toBeNull();
    expect(textOfSeptets(Uint8Array.of(0x1b))).toBeNull();
    expect(textOfSeptets(Uint8Array.of(0x80))).toBeNull();
  });
});
