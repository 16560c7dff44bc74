// Contacts: whose names agents see, and who is served first.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed } from './support/phone-bed.ts';

const TRUNK_ADDRESS = '127.0.0.2';
const MIRA = '+46812345678';

let bed: PhoneBed;
let provider: Phone;
let agent: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    agents: { '1001': {}, '1003': { follow_me_number: '+44777' } },
    numbers: { '101': extension('1001'), '103': extension('1003') },
    trunks: {
      provider: { addresses: [TRUNK_ADDRESS], max_calls: 100 },
      out: { port: provider.port, outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }] },
    },
  });
  bed.phones.push(provider);
  agent = await bed.agent('1001');
  await bed.api('PATCH', '/v1/settings', { country: 'SE', area_code: '08' });
  await bed.api('POST', '/v1/contact', {
    name: 'Mira "Mimi" Lindqvist',
    company: 'Lindqvist Marine',
    numbers: ['08-123 456 78', '+46 70 123 45 67'],
  });
});

afterAll(() => bed?.close());

const SHOWN = 'Mira "Mimi" Lindqvist (Lindqvist Marine)';

const over = (user: string, more: readonly (readonly [string, string])[] = []) => ({
  phone: { user, host: TRUNK_ADDRESS },
  headers: more,
});

function fromOf({ invite }: PhoneCall): string {
  if (!invite) throw new Error('The call has no INVITE.');
  return header(invite, 'from').replace(/;tag=.*/, '');
}

/** What the agent's phone shows of the next call; it is refused. */
async function shownAt(phone: Phone, call: PhoneCall): Promise<string> {
  const incoming = await phone.incoming();
  const from = fromOf(incoming);
  incoming.reject(486);
  await call.finished();
  return from;
}

it('a call from a number of a contact shows the name of the contact on the phone, live and in its record', async () => {
  const call = await bed.dial(
    '101',
    over(MIRA, [['P-Asserted-Identity', `"CALL CENTER" <sip:${MIRA}@example.com>`]]),
  );
  const incoming = await agent.incoming();
  expect(fromOf(incoming)).toContain('"Mira \\"Mimi\\" Lindqvist (Lindqvist Marine)" <sip:');
  const live = await bed.until(
    'the live call',
    async () => (await bed.api('GET', '/v1/live_calls')).json.data[0],
  );
  expect(live).toMatchObject({ caller: MIRA, caller_name: SHOWN });
  incoming.reject(486);
  await call.finished();
  expect(await bed.record(MIRA)).toMatchObject({ caller_name: SHOWN });
});

it('the next call follows a change of the contacts, and a number of nobody keeps the name that was sent', async () => {
  const { json } = await bed.api('GET', '/v1/contacts?q=0701234567');
  expect(json.data).toHaveLength(1);
  const { id } = json.data[0];
  expect((await bed.api('PATCH', `/v1/contact/${id}`, { company: '', name: 'Mira' })).status).toBe(200);
  const again = await bed.dial('101', over('+46701234567'));
  expect(await shownAt(agent, again)).toMatch(/^"?Mira"? </);
  const other = await bed.dial(
    '101',
    over('+4917', [['P-Asserted-Identity', '"Ann" <sip:+4917@example.com>']]),
  );
  expect(await shownAt(agent, other)).toMatch(/^"?Ann"? </);
});

it('a number that the network says is forged shows no contact', async () => {
  const value = `"Sent" <sip:${MIRA};verstat=TN-Validation-Failed@example.com>`;
  const call = await bed.dial('101', over(MIRA, [['P-Asserted-Identity', value]]));
  expect(await shownAt(agent, call)).toMatch(/^"?Sent"? </);
});

it('the name of a contact does not leave over a trunk', async () => {
  const call = await bed.dial('103', over(MIRA));
  expect(await shownAt(provider, call)).not.toContain('Mira');
});
