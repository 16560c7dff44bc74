// Who called and what was dialled, as providers write it in their headers: in the record, and against the block list. And what caller-id rules
// write for them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed } from './support/phone-bed.ts';

const TRUNK_ADDRESS = '127.0.0.2';
const BLOCKED = '+4930123456';

let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    agents: { '1003': { follow_me_number: '+44777' } },
    menus: { main: { timeout: 30 } },
    numbers: { '100': 'ivr||main', '+4930987654': 'ivr||main', '103': extension('1003') },
    trunks: {
      provider: { addresses: [TRUNK_ADDRESS], max_calls: 100 },
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
        caller_id: '+493099',
      },
    },
  });
  bed.phones.push(provider);
  await bed.api('PATCH', '/v1/settings', { country: 'DE', area_code: '030' });
  await bed.api('POST', '/v1/blocked_number', { number: BLOCKED });
});

afterAll(() => bed?.close());

type Lines = readonly (readonly [string, string])[];

/** A call over the trunk: its final status, and its record. */
async function called(
  headers: Lines,
  { user = '+4417', dialled = '100' } = {},
): Promise<{ status: number; record: Json }> {
  const call = await bed.dial(dialled, { phone: { user, host: TRUNK_ADDRESS }, headers });
  const status = await call.finished();
  if (status === 200) await call.hangUp();
  const record = await bed.until('the record', async () => {
    const { json } = await bed.api('GET', '/v1/call/records?limit=20');
    for (const { id } of json.data) {
      const { json: found } = await bed.api('GET', `/v1/call/records/${id}`);
      if (found.sip_call_id === call.dialog.callId) return found;
    }
    return null;
  });
  return { status, record };
}

it('the block list has a caller by each header that a provider identifies callers with', async () => {
  const passed: string[] = [];
  const number = BLOCKED.slice(1);
  for (const [name, value] of [
    ['P-Asserted-Identity', `"Ann" <sip:+${number}@example.com>, <tel:+${number}>`],
    ['P-Asserted-Identity', `<sip:ann@example.com>, <tel:+${number};verstat=TN-Validation-Passed>`],
    ['P-Preferred-Identity', `<sip:+${number};cpc=ordinary@example.com;user=phone>`],
    ['Remote-Party-ID', `"Ann" <sip:+${number}@example.com>;party=calling;screen=yes;privacy=off`],
  ] as const)
    if ((await called([[name, value]])).status !== 603) passed.push(`${name}: ${value}`);
  expect(passed).toEqual([]);
});

it('the record has the name of the asserted identity, the verification and where the call was diverted', async () => {
  const { record } = await called([
    ['P-Asserted-Identity', '"Ann" <sip:+4940555;verstat=TN-Validation-Passed-A@example.com>'],
    ['Diversion', '"Bob" <sip:+4930777@example.com;user=phone>;reason=no-answer;counter=1'],
    [
      'History-Info',
      '<sip:+4930777@example.com?Reason=SIP%3Bcause%3D302>;index=1, <sip:100@us.example>;index=1.1',
    ],
  ]);
  expect(record).toMatchObject({
    caller: '+4940555',
    caller_name: 'Ann',
    identity: {
      verstat: 'passed',
      attestation: 'A',
      diversions: [{ number: '+4930777', reason: 'no-answer' }],
      history: [
        { number: '+4930777', index: '1', cause: 302 },
        { number: '100', index: '1.1', cause: null },
      ],
    },
  });
});

it('a caller who asks for privacy has no number, whichever header has it', async () => {
  for (const headers of [
    [
      ['P-Asserted-Identity', '<tel:+4940555>'],
      ['Privacy', 'user;id'],
    ],
    [['Remote-Party-ID', '<sip:+4940555@example.com>;privacy=full']],
  ] satisfies Lines[])
    expect((await called(headers)).record).toMatchObject({ caller: null, caller_name: null });
});

it('the number of P-Called-Party-ID leads on where the Request-URI has our user name', async () => {
  const { status, record } = await called([['P-Called-Party-ID', '<sip:+4930987654@example.com>']], {
    dialled: 'our-user-name',
  });
  expect(status).toBe(200);
  expect(record['dialled']).toBe('+4930987654');
});

it('an entry of the block list may be for callers whose verification failed', async () => {
  const entry = await bed.api('POST', '/v1/blocked_number', { verstat: 'failed', reason: 'forged' });
  expect(entry.status).toBe(201);
  const verified = (verstat: string): Promise<{ status: number; record: Json }> =>
    called([['P-Asserted-Identity', `<sip:+4940555;verstat=${verstat}@example.com>`]]);
  const failed = await verified('TN-Validation-Failed');
  expect(failed.status).toBe(603);
  expect(failed.record['end'].code).toBe('caller-blocked');
  expect(failed.record['steps'].at(-1).text).toContain('verification failed');
  expect((await verified('TN-Validation-Passed')).status).toBe(200);
  expect((await verified('No-TN-Validation')).status).toBe(200);
});

/** The headers that the provider gets with the next call. */
const headersOf = async (call: Promise<PhoneCall>) => {
  const [placed, incoming] = [await call, await provider.incoming()];
  const { invite } = incoming;
  if (!invite) throw new Error('no INVITE');
  incoming.reject(486);
  await placed.hangUp();
  return {
    from: header(invite, 'from').replace(/;tag=.*/, ''),
    privacy: header(invite, 'privacy'),
    identity: header(invite, 'p-asserted-identity'),
  };
};
const follow = (): Promise<PhoneCall> => bed.dial('103', { phone: { user: '+15550100' } });

it('caller-id rules pass the caller on to a number to follow, withhold it, or show another; without one it is the trunk’s', async () => {
  expect((await headersOf(follow())).from).toMatch(/<sip:\+493099@/);

  const { id } = (
    await bed.api('POST', '/v1/caller_id_rule', { name: 'Follow', agent: eidOf('1003'), show: 'caller' })
  ).json;
  expect((await headersOf(follow())).from).toMatch(/<sip:\+15550100@/);

  await bed.api('PUT', `/v1/caller_id_rule/${id}`, { name: 'Hide', trunk: 'out', show: 'withhold' });
  const hidden = await headersOf(follow());
  expect(hidden.from).toBe('"Anonymous" <sip:anonymous@anonymous.invalid>');
  expect(hidden.privacy).toBe('id');
  // The provider may know whose call it is; it is the account's number, not the caller's.
  expect(hidden.identity).toMatch(/<sip:\+493099@/);
  expect(JSON.stringify(hidden)).not.toContain('15550100');
  await bed.api('DELETE', `/v1/caller_id_rule/${id}`);
});
