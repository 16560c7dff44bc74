import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../kinds/fields.ts';
import { isDialable, normaliseNumber } from '../kinds/number-text.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { PrefixRule, Trunk } from '../kinds/trunk.ts';
import { NUMBER_FORMATS } from '../kinds/trunk-choices.ts';
import { COUNTRIES, Numbering } from './numbering.ts';
import { routeOut, routesOut } from './trunk.ts';

const trunk = (id: string, changes: Partial<Trunk> = {}): StoredRecord<Trunk> => ({
  id,
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  data: {
    ...DEFAULTS.trunk,
    name: id,
    host: '192.0.2.1',
    port: 0,
    transport: 'udp',
    addresses: ['192.0.2.1'],
    username: null,
    sealed_password: null,
    register: false,
    inbound_numbers: [],
    outbound_prefixes: [],
    agents_may_call: false,
    caller_id: null,
    max_calls: 10,
    enabled: true,
    ...changes,
  },
});
const rule = (prefix: string, strip = 0, add = ''): PrefixRule => ({ prefix, strip, add });
const over = (...rules: PrefixRule[]) => [trunk('t', { outbound_prefixes: rules })];

describe('a way out (T1)', () => {
  // biome-ignore format: a table of the ITU's codes
  const CODES = ['1', '7', '20', '27', '33', '44', '49', '53', '86', '91', '212', '234', '371', '375', '381', '500', '675', '881', '882', '979'];
  const numbers = CODES.flatMap((code) =>
    ['900123456', '701234567'].flatMap((rest) => [
      `+${code}${rest}`,
      `00${code}${rest}`,
      `011${code}${rest}`,
      `${code}${rest}`,
      `900${code}${rest.slice(3)}`,
    ]),
  );

  it('leads nowhere for 200 numbers of 20 countries, in every form, without a trunk or with one as it is made', () => {
    expect(new Set(numbers).size).toBeGreaterThanOrEqual(200);
    for (const number of numbers) {
      expect(routeOut([], number), number).toBeNull();
      expect(routeOut([trunk('t')], number), number).toBeNull();
    }
  });

  it('leads only where a prefix says so, whichever form would be dialled', () => {
    const open = numbers.filter((number) => routeOut(over(rule('+4970')), number) !== null);
    expect(open).toEqual(['+49701234567']);
  });

  it('is closed by a trunk that is switched off', () => {
    const rules = { outbound_prefixes: [rule('+49')] };
    expect(routeOut([trunk('t', { ...rules, enabled: false })], '+4930')).toBeNull();
    expect(routeOut([trunk('t', rules)], '+4930')).toEqual({ trunkId: 't', dialled: '+4930' });
  });

  it('is not opened abroad by a national prefix, in the account’s country (T44)', () => {
    const germany = new Numbering({ country: 'DE', area_code: '' });
    const national = over(rule('0'));
    for (const number of ['0019005551234', '00 1900 5551234', '0088213000000'])
      expect(routeOut(national, number, germany), number).toBeNull();
    for (const number of ['0301234567', '0900123456', '0110'])
      expect(routeOut(national, number, germany), number).not.toBeNull();
    expect(routeOut(national, '0049301234567', germany)).not.toBeNull();
    expect(routeOut(over(rule('030')), '0049301234567', germany)).toBeNull();
    expect(routeOut(over(rule('00')), '0019005551234', germany)).not.toBeNull();
    expect(routeOut(over(rule('0'), rule('001')), '0012125551234', germany)).not.toBeNull();
    // Without a country 0 may be anything.
    expect(routeOut(national, '0019005551234')).not.toBeNull();
  });

  const OUTSIDE = rule('0', 1);
  it.each<[string, PrefixRule, string, string | null]>([
    // 0 or 9 for an outside line: what is behind it counts.
    ['DE', OUTSIDE, '00019001234567', null],
    ['DE', OUTSIDE, '0030123456', '030123456'],
    ['DE', OUTSIDE, '0017612345678', '017612345678'],
    ['DE', OUTSIDE, '000493012345678', '00493012345678'],
    ['DE', rule('9', 1), '90019001234567', null],
    ['DE', rule('9', 1), '9030123456', '030123456'],
    ['DE', rule('000', 1), '00019001234567', '0019001234567'],
    // One zero too many, before another outside line or behind the calling code.
    ['DE', rule('0'), '00019001234567', null],
    ['DE', rule('+49', 3, '0'), '+49019001234567', null],
    ['DE', rule('+49', 3, '0'), '+4930123456', '030123456'],
    ['DE', rule('0', 1, '+49'), '030123456', '+4930123456'],
    // Behind the access code of a carrier.
    ['DE', rule('0', 0, '7788'), '0019001234567', null],
    ['DE', rule('0', 0, '7788'), '030123456', '7788030123456'],
    ['DE', rule('00', 0, '7788'), '0019001234567', '77880019001234567'],
    ['FI', rule('0', 1, '358'), '0991234567', '358991234567'],
    // Abroad where the rule says so.
    ['DE', rule('00'), '0019001234567', '0019001234567'],
    ['DE', rule('+'), '+19001234567', '+19001234567'],
    ['DE', rule('+', 1), '+19001234567', '19001234567'],
    ['DE', rule('+', 1, '00'), '+19001234567', '0019001234567'],
    ['DE', rule('+', 1), '+0019001234567', null],
    ['PG', rule('+', 1), '+14015551234', '14015551234'],
    // No trunk prefix.
    ...['IT', 'SM', 'VA', 'ES', 'CI', 'GA', 'CG'].flatMap(
      (country): [string, PrefixRule, string, string | null][] => [
        [country, rule('0'), '0019001234567', null],
        [country, rule('0'), '0612345678', '0612345678'],
        [country, rule('00'), '0019001234567', '0019001234567'],
      ],
    ),
    ['IT', rule('0'), '00390612345678', '00390612345678'],
    ['IT', rule('0'), '00393312345678', null],
    // Other exit codes and trunk prefixes.
    ['US', rule('0'), '011442071234567', null],
    ['US', rule('9', 1), '9011442071234567', null],
    ['US', rule('9', 1), '90044207123456', null],
    ['US', rule('9', 1), '912125551234', '12125551234'],
    ['US', rule('011'), '011442071234567', '011442071234567'],
    ['US', rule('+'), '+442071234567', '+442071234567'],
    ['US', rule('1'), '12125551234', '12125551234'],
    ['HU', rule('0'), '0019001234567', null],
    ['HU', rule('0'), '0612345678', '0612345678'],
    ['RU', rule('8'), '81019001234567', null],
    ['RU', rule('8'), '84951234567', '84951234567'],
    // Home behind 00, Egypt behind the code of a carrier (008).
    ['KR', rule('0'), '00820212345678', null],
    ['AU', rule('0'), '000', '000'],
    // As before without a country.
    ['', rule('0'), '0019001234567', '0019001234567'],
    ['', OUTSIDE, '00019001234567', '0019001234567'],
  ])('in %j by %j: %s is dialled as %j (T44)', (country, each, number, dialled) => {
    const numbering = new Numbering({ country, area_code: '' });
    expect(routeOut(over(each), number, numbering)?.dialled ?? null).toBe(dialled);
  });

  it('is never wider with a country than without', () => {
    const plans = COUNTRIES.map((country) => new Numbering({ country, area_code: '' }));
    const rules = [['0'], ['00'], ['+'], ['1'], ['0', '+49'], ['011'], ['8'], ['9']].map((all) =>
      over(...all.map((each) => rule(each))),
    );
    const wider: string[] = [];
    for (const each of rules) {
      const refused = numbers.filter((number) => routeOut(each, number) === null);
      for (const numbering of plans)
        wider.push(...refused.filter((number) => routeOut(each, number, numbering) !== null));
    }
    expect(wider).toEqual([]);
  });

  it('is not opened by an empty prefix', () => {
    expect(routeOut(over(rule('')), '110')).toBeNull();
  });
});

describe('prefix rules', () => {
  it('the longest prefix wins, within a trunk and among trunks; of equal ones the older trunk', () => {
    const trunks = [
      trunk('b', { outbound_prefixes: [rule('+', 0, ''), rule('+49', 3, '0')] }),
      trunk('a', { outbound_prefixes: [rule('+49')] }),
      trunk('c', { outbound_prefixes: [rule('+4930', 1, '00')] }),
    ];
    expect(routesOut(trunks, '+4930123')).toEqual([
      { trunkId: 'c', dialled: '004930123' },
      { trunkId: 'a', dialled: '+4930123' },
      { trunkId: 'b', dialled: '030123' },
    ]);
    expect(routeOut(trunks, '+331')).toEqual({ trunkId: 'b', dialled: '+331' });
  });

  it('a rule that leaves nothing to dial is no way out', () => {
    expect(routeOut(over(rule('9', 1)), '9')).toBeNull();
    expect(routeOut(over(rule('9', 1)), '9112')).toEqual({ trunkId: 't', dialled: '112' });
    expect(routeOut(over(rule('+49', 0, '9')), '+4930')).toBeNull();
  });
});

describe('numbers', () => {
  it.each([
    ['+49 (30) 123-456', '+4930123456'],
    ['030 123', '030123'],
    ['*21#', '*21#'],
    ['49+30', null],
    ['++49', null],
    ['+', null],
    ['', null],
    [' ( ) - ', null],
    ['12a', null],
    ['1'.repeat(33), null],
    ['sip:1@x', null],
    ['1;phone-context=x', null],
    ['١٢٣', null],
    [' '.repeat(1_000_000), null],
  ])('%j is %j', (text, number) => {
    expect(normaliseNumber(text)).toBe(number);
  });

  it('dialable has at most 32 digits and keys behind a plus', () => {
    expect(isDialable(`+${'1'.repeat(32)}`)).toBe(true);
    expect(isDialable(`+${'1'.repeat(33)}`)).toBe(false);
  });
});

describe('the format of a trunk', () => {
  const berlin = new Numbering({ country: 'DE', area_code: '030' });

  it('is that of numbers whose rule neither strips nor adds', () => {
    const rules = [rule('0'), rule('+49', 3, '0')];
    const trunks = [trunk('t', { outbound_prefixes: rules, outbound_format: 'digits' })];
    expect(routeOut(trunks, '0401234567', berlin)?.dialled).toBe('49401234567');
    expect(routeOut(trunks, '+49401234567', berlin)?.dialled).toBe('0401234567');
  });

  it('opens no number that the rules do not (T1, T44)', () => {
    for (const outbound_format of NUMBER_FORMATS) {
      const trunks = [trunk('t', { outbound_prefixes: [rule('0')], outbound_format })];
      for (const number of ['0019005550123', '+19005550123', '19005550123', '009005550123'])
        expect([outbound_format, routeOut(trunks, number, berlin)]).toEqual([outbound_format, null]);
    }
  });
});
