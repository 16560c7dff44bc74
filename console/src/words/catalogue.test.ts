import { describe, expect, it } from 'vitest';
import { type Entry, say } from './catalogue.ts';
import { en } from './en.ts';
import { formats } from './formats.ts';
import { hi } from './hi.ts';

const forms = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));
const holes = (entry: Entry): Set<string> =>
  new Set(forms(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? []));

describe('the catalogue', () => {
  it('has the same keys in every language, and nothing is empty', () => {
    expect(Object.keys(hi).sort()).toEqual(Object.keys(en).sort());
    for (const entry of [...Object.values(hi), ...Object.values(en)])
      for (const text of forms(entry)) expect(text.trim()).not.toBe('');
  });

  it('has room for the same values in every language', () => {
    for (const [key, entry] of Object.entries<Entry>(en))
      expect([key, ...holes(hi[key as keyof typeof hi])].sort()).toEqual([key, ...holes(entry)].sort());
  });

  it('has every plural form that its language distinguishes', () => {
    for (const [language, catalogue] of [
      ['en', en],
      ['hi', hi],
    ] as const) {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      for (const [key, entry] of Object.entries<Entry>(catalogue))
        if (typeof entry !== 'string')
          expect([key, ...Object.keys(entry).sort()]).toEqual([key, ...pluralCategories.sort()]);
    }
  });

  it('is written in Hindi where it says so, but for names and abbreviations', () => {
    const latin = Object.entries<Entry>(hi).filter(
      ([, entry]) => !forms(entry).some((text) => /[\u0900-\u097f]/.test(text)),
    );
    const untranslatable =
      /^[\s\d\p{P}\p{S}]*(?:(?:\{\w+\}|[A-Z][A-Za-z0-9-]*|sip|udp|tcp|tls|dialtree|npx)[\s\d\p{P}\p{S}]*)*$/u;
    expect(latin.filter(([, entry]) => !forms(entry).every((text) => untranslatable.test(text)))).toEqual([]);
  });
});

describe('what is said', () => {
  it('chooses the plural by the language, not by English habit', () => {
    const calls = { one: '{count} call', other: '{count} calls' };
    expect([0, 1, 2].map((count) => say(calls, { count }, 'en'))).toEqual(['0 calls', '1 call', '2 calls']);
    const hindi = { one: '{count} कॉल आया', other: '{count} कॉल आए' };
    expect([0, 1, 2].map((count) => say(hindi, { count }, 'hi'))).toEqual([
      '0 कॉल आया',
      '1 कॉल आया',
      '2 कॉल आए',
    ]);
  });

  it('puts values in as they are, also those that look like a hole', () => {
    expect(say('{a} and {b}', { a: '{b}', b: '<b>' }, 'en')).toBe('{b} and <b>');
    expect(say('{missing}', {}, 'en')).toBe('{missing}');
  });

  it('writes numbers as the language does', () => {
    expect(say('{count}', { count: 1234567 }, 'en')).toBe('1,234,567');
    expect(say('{count}', { count: 1234567 }, 'hi')).toBe('12,34,567');
  });

  it('writes dates short: the year only where it is another one, and in lists today’s time alone', () => {
    const { date, dateTime, brief } = formats('en');
    const now = new Date();
    const year = now.getFullYear();
    expect(date(new Date(year, 2, 5))).toBe('Mar 5');
    expect(date(new Date(year - 1, 2, 5))).toBe(`Mar 5, ${year - 1}`);
    expect(dateTime(new Date(year - 1, 2, 5, 14, 7))).toMatch(new RegExp(`^Mar 5, ${year - 1}, 2:07.PM$`));
    expect(brief(new Date(year, now.getMonth(), now.getDate(), 14, 7))).toMatch(/^2:07.PM$/);
    expect([date('nonsense'), dateTime(''), brief('')]).toEqual(['', '', '']);
    expect(formats('hi').date(new Date(year, 2, 5))).toBe('5 मार्च');
  });

  it('writes durations, rates and distances in time', () => {
    const { duration, percent, relative } = formats('en');
    expect([0, 83_000, 3_600_000].map(duration)).toEqual(['0:00', '1:23', '1:00:00']);
    expect([percent(0.256), percent(null)]).toEqual(['25.6%', '–']);
    expect([relative(0, 300_000), relative(0, 0), relative(7_200_000, 0)]).toEqual([
      '5 minutes ago',
      'now',
      'in 2 hours',
    ]);
  });
});
