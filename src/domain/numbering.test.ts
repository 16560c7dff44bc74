import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { planFile } from '../../bin/write-numbering-plans.js';
import { workOf } from '../../test/support/work.ts';
import { isWithheld, plainNumber } from '../kinds/number-text.ts';
import { NUMBER_FORMATS } from '../kinds/trunk-choices.ts';
import { COUNTRIES, Numbering } from './numbering.ts';

const numbering = (country: string, area_code = '') => new Numbering({ country, area_code });
const berlin = numbering('DE', '030');
const newYork = numbering('US', '212');

describe('the table of numbering plans', () => {
  it('is what the installed libphonenumber-js has', () => {
    expect(readFileSync(new URL('./numbering-plans.ts', import.meta.url), 'utf8')).toBe(planFile());
    expect(COUNTRIES.length).toBeGreaterThan(240);
  });
});

describe('a number is the same in every form', () => {
  it.each([
    '+4930123456',
    '4930123456',
    '004930123456',
    '+004930123456',
    '030123456',
    '+49 (0)30 123456',
    '+49-30-12.34.56',
    '030/123 456',
    '(030) 12 34 56',
    '＋４９３０１２３４５６',
    '٠٣٠١٢٣٤٥٦',
    '۰۳۰۱۲۳۴۵۶',
    '०३०१२३४५६',
    '\u202a+49\u00a030\u2011123456\u202c',
    'tel:+49-30-123456',
    'tel:30123456;phone-context=+49',
    'tel:030-123456;phone-context=+49',
    '030123456;phone-context=example.com',
    '123456;phone-context=+49-30',
    '+4930123456;phone-context=+1',
    '+4930123456;ext=12',
    '+4930123456;verstat=TN-Validation-Passed',
    '+4930123456;isup-oli=62;cpc=ordinary',
    '+4930123456;npdi;rn=+4932000',
    'sip:+4930123456;isub=1@192.0.2.1;user=phone',
    '+4930123456@example.com',
  ])('%j is a number in Berlin', (form) => {
    expect(berlin.canonical(form)).toBe('+4930123456');
    expect(numbering('DE').canonical(form)).toBe('+4930123456');
  });

  it.each([
    ['US', '212', '5550123', '+12125550123'],
    ['US', '', '5550123', '5550123'],
    ['US', '', '2125550123', '+12125550123'],
    ['US', '', '12125550123', '+12125550123'],
    ['US', '', '01149301234567', '+49301234567'],
    ['US', '', '0049301234567', '+49301234567'],
    ['DE', '030', '1234567', '+49301234567'],
    ['DE', '30', '12345678', '+493012345678'],
    ['DE', '', '33123456789', '+33123456789'],
    ['SE', '08', '12345678', '+46812345678'],
    ['IT', '', '0612345678', '+390612345678'],
    ['IT', '', '390612345678', '+390612345678'],
    ['IN', '', '09812345678', '+919812345678'],
    ['IN', '', '9812345678', '+919812345678'],
    ['IN', '', '442071234567', '+442071234567'],
    ['RU', '', '88121234567', '+78121234567'],
    ['RU', '', '+78121234567', '+78121234567'],
    ['RU', '', '8104930123456', '+4930123456'],
    ['HU', '', '0612345678', '+3612345678'],
    ['SG', '', '00149301234567', '+49301234567'],
    ['SG', '', '0049301234567', '+49301234567'],
    ['AU', '', '001149301234567', '+49301234567'],
    ['AR', '', '0111512345678', '+5491112345678'],
    ['AG', '', '4641234', '+12684641234'],
    ['', '', '0049301234567', '+49301234567'],
    ['', '', '030123456', '030123456'],
    ['', '', '49301234567', '49301234567'],
    ['XX', '', '030123456', '030123456'],
    ['constructor', '', '030123456', '030123456'],
  ])('in %s (%s) %s is %s', (country, area, written, canonical) => {
    expect(numbering(country, area).canonical(written)).toBe(canonical);
  });

  it('short codes, extensions and emergency numbers stay as they are', () => {
    for (const short of [
      '110',
      '112',
      '911',
      '100',
      '1001',
      '0',
      '10010',
      '116117',
      '118218',
      '*21#',
      '#31#',
    ])
      for (const each of [berlin, newYork, Numbering.NONE]) expect(each.canonical(short)).toBe(short);
  });

  it('what is no number has no canonical form', () => {
    for (const text of ['', '+', 'alice', 'alice@example.com', '49+30', '1'.repeat(33), '0'.repeat(10_000)])
      expect([text.slice(0, 20), berlin.canonical(text), berlin.key(text)]).toEqual([
        text.slice(0, 20),
        null,
        '',
      ]);
  });

  it('agrees with libphonenumber about a number of every country, as it is written there and abroad', () => {
    const wrong: string[] = [];
    for (const country of COUNTRIES) {
      const example = getExampleNumber(country as CountryCode, examples);
      if (!example) continue;
      const { number } = example;
      const own = numbering(country);
      const forms = [
        number,
        number.slice(1),
        `00${number.slice(1)}`,
        example.formatNational(),
        example.formatInternational(),
        example.getURI(),
      ];
      for (const form of forms.filter((each) => (plainNumber(each)?.length ?? 0) > 6))
        if (own.canonical(form) !== number)
          wrong.push(`${country} ${form}: ${own.canonical(form)}, not ${number}`);
      for (const abroad of [berlin, newYork])
        for (const form of [number, `00${number.slice(1)}`, example.formatInternational(), example.getURI()])
          if (abroad.canonical(form) !== number)
            wrong.push(`${country} ${form} abroad: ${abroad.canonical(form)}`);
    }
    expect(wrong).toEqual([]);
  });
});

const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'00112345+49 -().;=*#@٣５'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }),
);
const plan = fc.constantFrom(
  ...COUNTRIES.flatMap((country) => [numbering(country), numbering(country, '30')]),
  Numbering.NONE,
);

describe('for any text', () => {
  it('the canonical form is its own', () => {
    fc.assert(
      fc.property(hostile, plan, (text, each) => {
        const canonical = each.canonical(text);
        if (canonical !== null) expect(each.canonical(canonical)).toBe(canonical);
      }),
      { numRuns: 5000 },
    );
  });

  it('all forms of a number have one key, and no other number has it', () => {
    const national = fc
      .constantFrom('30', '89', '40', '221')
      .chain((area) => fc.integer({ min: 2_000_000, max: 9_999_999 }).map((rest) => `${area}${rest}`));
    const form = fc.constantFrom<(number: string) => string>(
      (number) => `+49${number}`,
      (number) => `0049${number}`,
      (number) => `0${number}`,
      (number) => `+49 (0) ${number.slice(0, 2)} ${number.slice(2)}`,
      (number) => `tel:${number};phone-context=+49`,
      (number) => `+49${number};verstat=No-TN-Validation;ext=3`,
      (number) => `0${number}`.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      (number) => `0049${number}`.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
    );
    fc.assert(
      fc.property(national, national, form, form, (one, other, written, signalled) => {
        expect(berlin.key(written(one)) === berlin.key(signalled(other))).toBe(one === other);
      }),
      { numRuns: 5000 },
    );
  });

  it('a number in the form of a trunk is the same number, and none that is dialled at home goes abroad (T44)', () => {
    fc.assert(
      fc.property(hostile, plan, fc.constantFrom(...NUMBER_FORMATS), (text, each, format) => {
        const plain = each.canonical(text);
        const written = each.written(text, format);
        if (written === text) return;
        // Digits alone of a short number abroad are read as another one: only the trunk knows its format.
        if (format !== 'digits') expect(each.canonical(written)).toBe(plain);
        else expect(`+${written}`).toBe(plain);
        expect(written).toMatch(/^\+?[0-9]+$/);
        // It has a plus or an exit code, or it is of the account's own country.
        if (!each.isAbroad(text)) expect(each.canonical(each.written(text, 'national'))).toBe(plain);
      }),
      { numRuns: 3000 },
    );
  });

  it('a number with keys in it stays as it is, whatever a trunk wants', () => {
    for (const format of NUMBER_FORMATS)
      for (const number of ['+30 #0000', '+49 30*123456', '+1#5550100', '+#12345678'])
        expect(berlin.written(number, format)).toBe(number);
  });

  it('the forms of a number are forms of it, few, and contain its part', () => {
    fc.assert(
      fc.property(hostile, plan, (text, each) => {
        const forms = each.forms(text);
        expect(forms.length).toBeLessThanOrEqual(12);
        expect(forms).toContain(text);
      }),
    );
    expect(berlin.forms('+49 30 1234567')).toEqual(
      expect.arrayContaining(['+49301234567', '49301234567', '0049301234567', '0301234567', '1234567']),
    );
    for (const form of berlin.forms('0301234567').slice(0, -1))
      expect(form).toContain(berlin.part('0301234567'));
    expect(berlin.part('Anna')).toBe('Anna');
    expect(berlin.part('030')).toBe('030');
  });

  it('takes little work, whatever the text', async () => {
    const texts = [
      '030123456',
      '+4930123456;verstat=TN-Validation-Passed',
      '٠'.repeat(128),
      '0'.repeat(32),
      '(-'.repeat(64),
      '𝟘'.repeat(64),
      `${';'.repeat(127)}1`,
      '\ufdfa'.repeat(128),
      '0'.repeat(1_000_000),
      '٠'.repeat(1_000_000),
    ];
    const works = await workOf<typeof import('./numbering.ts')>(
      new URL('./numbering.ts', import.meta.url),
      // Plans are made once.
      ['030123456', ...texts].map((text) => (module) => {
        new module.Numbering({ country: 'DE', area_code: '030' }).key(text);
      }),
    );
    for (const [index, text] of texts.entries()) {
      const work = works[index + 1] ?? 0;
      expect(work, text.slice(0, 20)).toBeGreaterThan(0);
      // A few steps for each of the 128 characters that are looked at.
      expect(work, text.slice(0, 20)).toBeLessThan(128 * 10);
    }
  });
});

describe('beginnings of numbers', () => {
  it.each([
    ['+1900', ['1900', '+1900']],
    ['001900', ['001900', '+1900']],
    ['0900', ['0900', '+49900']],
    ['900', ['900', '+900']],
    ['0', ['0']],
    ['00', ['00']],
  ])('%s in Germany', (prefix, keys) => {
    expect(berlin.prefixKeys(prefix)).toEqual(keys);
  });

  it.each([
    ['900', ['900', '+1900']],
    ['1900', ['1900', '+1900']],
    ['0111900', ['0111900', '+1900']],
  ])('%s in the United States', (prefix, keys) => {
    expect(newYork.prefixKeys(prefix)).toEqual(keys);
  });

  it('without a trunk prefix, and keys', () => {
    expect(numbering('IT').prefixKeys('06')).toEqual(['06', '+3906']);
    expect(numbering('ES').prefixKeys('80')).toEqual(['80', '+3480']);
    expect(Numbering.NONE.prefixKeys('0900')).toEqual(['0900']);
    expect(berlin.prefixKeys('*21')).toEqual(['*21']);
  });
});

describe('a withheld number', () => {
  it.each([
    '',
    'Anonymous',
    'ANONYMOUS',
    'anonymous@anonymous.invalid',
    'sip:Anonymous@example.com',
    'unknown',
    'Private',
    'private number',
    'restricted',
    'UNAVAILABLE',
    'Ｕｎｋｎｏｗｎ',
    'anonymous;phone-context=x',
    ' - ',
  ])('%j is one', (text) => {
    expect(isWithheld(text)).toBe(true);
    expect(plainNumber(text)).toBeNull();
  });

  it('is not a number or a name', () => {
    for (const text of ['+4930', '0', 'alice', 'anonymouse', 'x'.repeat(10_000)])
      expect(isWithheld(text)).toBe(false);
  });
});

describe('numbers of a trunk', () => {
  it.each([
    ['as_is', '0301234567', '0301234567'],
    ['plus', '0301234567', '+49301234567'],
    ['digits', '+49301234567', '49301234567'],
    ['00', '0301234567', '0049301234567'],
    ['national', '+49301234567', '0301234567'],
    ['national', '+12125550123', '0012125550123'],
    ['plus', '0012125550123', '+12125550123'],
    ['plus', '110', '110'],
    ['plus', '*21#', '*21#'],
  ] as const)('%s: %s is dialled as %s', (format, number, dialled) => {
    expect(berlin.written(number, format)).toBe(dialled);
  });

  it('without a country, only numbers that say which one they are get another form', () => {
    expect(Numbering.NONE.written('+49301234567', 'digits')).toBe('49301234567');
    expect(Numbering.NONE.written('0049301234567', 'plus')).toBe('+49301234567');
    for (const number of ['19005550123', '0301234567'])
      expect(Numbering.NONE.written(number, 'plus')).toBe(number);
  });

  it.each([
    ['digits', '49301234567', '+49301234567'],
    ['digits', '12125550123', '+12125550123'],
    ['00', '0012125550123', '+12125550123'],
    ['national', '0301234567', '+49301234567'],
    ['national', '301234567', '+49301234567'],
    ['national', '0012125550123', '+12125550123'],
    ['plus', '+49301234567', '+49301234567'],
    ['digits', '100', '100'],
    ['digits', 'our-user', 'our-user'],
    ['as_is', '49301234567', '49301234567'],
  ] as const)('%s: %s is read as %s', (format, signalled, number) => {
    expect(berlin.read(signalled, format)).toBe(number);
  });
});
