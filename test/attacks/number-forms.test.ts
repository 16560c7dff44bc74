// One number in every form in which trunks and phones write it: the block list, the account's numbers and the rules for outbound
// calls must know it in each.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneBed } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';

const TRUNK_ADDRESS = '127.0.0.2';
const digits = (zero: number, text: string): string =>
  text.replaceAll(/\d/g, (digit) => encodeURIComponent(String.fromCodePoint(zero + Number(digit))));

/** The user part of a URI that means the number `30` and `rest` in Germany. */
const formsOf = (rest: string): string[] => [
  `+4930${rest}`,
  `4930${rest}`,
  `004930${rest}`,
  `+004930${rest}`,
  `030${rest}`,
  `+49-30-${rest.slice(0, 3)}.${rest.slice(3)}`,
  `+49(0)30${rest}`,
  `%2B4930${rest}`,
  digits(0xff10, `004930${rest}`),
  digits(0x660, `030${rest}`),
  digits(0x6f0, `030${rest}`),
  `+4930${rest};phone-context=+49`,
  `30${rest};phone-context=+49`,
  `030${rest};phone-context=example.com`,
  `${rest};phone-context=+49-30`,
  `+4930${rest};ext=7`,
  `+4930${rest};verstat=TN-Validation-Passed`,
  `+4930${rest};isup-oli=62;cpc=ordinary`,
  `+4930${rest};npdi;rn=+4932000`,
];
const WITHHELD = ['Anonymous', 'ANONYMOUS', 'anonymous', 'unknown', 'Private', 'restricted', 'UNAVAILABLE'];

let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    agents: { '1001': {} },
    menus: { main: { timeout: 30 } },
    numbers: { '100': 'ivr||main', '+4930987654': 'ivr||main' },
    trunks: {
      out: {
        outbound_prefixes: [{ prefix: '0', strip: 0, add: '' }],
        agents_may_call: true,
        addresses: [TRUNK_ADDRESS],
        max_calls: 100,
      },
    },
  });
  await bed.api('PATCH', '/v1/settings', { country: 'DE', area_code: '030' });
  await bed.api('POST', '/v1/blocked_number', { number: '+4930123456' });
  await bed.api('POST', '/v1/blocked_number', { anonymous: true });
});

afterAll(() => bed?.close());

/** The final status of a call; an answered one is hung up. */
async function statusOf(dialled: string, user: string, asserted?: string): Promise<number> {
  const call = await bed.dial(dialled, {
    phone: { user, ...(asserted === undefined ? {} : { host: TRUNK_ADDRESS }) },
    ...(asserted === undefined ? {} : { headers: [['P-Asserted-Identity', `<${asserted}>`]] }),
  });
  const status = await call.finished();
  if (status === 200) await call.hangUp();
  return status;
}

it('T44: a blocked number is blocked in every form, a withheld one by whatever word stands for it', async () => {
  const passed: string[] = [];
  for (const form of formsOf('123456')) {
    if ((await statusOf('100', form)) !== 603) passed.push(`From ${form}`);
    if ((await statusOf('100', 'anonymous', `tel:${form}`)) !== 603) passed.push(`tel:${form}`);
  }
  for (const word of WITHHELD) {
    if ((await statusOf('100', word)) !== 603) passed.push(`From ${word}`);
    if ((await statusOf('100', word, `sip:${word}@anonymous.invalid`)) !== 603)
      passed.push(`asserted ${word}`);
  }
  const calls = 2 * (formsOf('').length + WITHHELD.length);
  figure('T44', `${calls - passed.length} of ${calls} calls of a blocked number in other forms are declined`);
  expect(passed).toEqual([]);
});

it('T44: no other number is blocked with it', async () => {
  for (const user of ['+4930123457', '030123457', '004940123456', '+3930123456', '123456', 'anonymouse'])
    expect([user, await statusOf('100', user)]).toEqual([user, 200]);
});

it('T44: a number of the account is reached in every form', async () => {
  const missed: string[] = [];
  for (const form of formsOf('987654'))
    if ((await statusOf(form, '+4417', 'tel:+44171234567')) !== 200) missed.push(form);
  expect(missed).toEqual([]);
  expect(await statusOf('+4930987655', '+4417', 'tel:+44171234567')).toBe(404);
});

it('T44: a national prefix opens no number abroad, in no form', async () => {
  const agent = await bed.agent('1001');
  const status = async (number: string): Promise<number> => (await agent.call(number)).finished();
  for (const number of [
    '0019005550123',
    '+19005550123',
    '19005550123',
    digits(0xff10, '0019005550123'),
    '9005550123;phone-context=+1',
  ])
    expect([number, await status(number)]).toEqual([number, 403]);
  // Allowed: it rings until the trunk's address answers.
  const national = await agent.call('030555666');
  await bed.until('ringing', async () => national.progress.includes(180));
  await national.hangUp();
});
