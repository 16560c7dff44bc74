// Hours, announcements, the block list and caller-id rules, in real calls. Everything is configured over the API while the
// service runs, so each test shows too that the next call follows what was written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import type { Json } from '../support/service.ts';
import { codes, PhoneBed, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'notice', 'closed');
const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' };
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    recordings,
    agents: {
      '1001': {},
      '1002': {},
      '1003': { follow_me_number: '+44777' },
      '1004': { failover_destination: 'ivr||closed' },
    },
    departments: { sales: { agents: [eidOf('1001')] } },
    menus: { main: { timeout: 30 }, closed: { recording: 'recording||closed', timeout: 30 } },
    numbers: { '100': 'ivr||main', '103': extension('1003'), '104': extension('1004') },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
        agents_may_call: true,
        caller_id: '+493099',
        addresses: ['127.0.0.2'],
      },
    },
  });
  bed.phones.push(provider);
});

afterAll(() => bed.close());

async function make(what: string, body: object): Promise<Json> {
  const reply = await bed.api('POST', `/v1/${what}`, body);
  if (reply.status !== 201) throw new Error(`POST /v1/${what}: ${reply.text}`);
  return reply.json;
}

describe('a time group', () => {
  it('leads one way while it is open and the other while it is closed, from the next call on', async () => {
    const both = { open_destination: 'ivr||main', closed_destination: 'ivr||closed' };
    const group = { name: 'Shop', timezone: 'Europe/Berlin', weekly: [ALWAYS], ...both };
    const { id } = await make('timegroup', group);
    await make('number', { number: '200', destination: `timegroup||${id}` });
    const open = await bed.reach('200');
    await open.hears(hz.prompt, { forMs: 80 });
    await open.hangUp();
    expect(step(await bed.record(open), 'hours-open').destination).toBe('ivr||main');

    const exceptions = [{ name: 'Stock-taking', from: '01-01', to: '12-31' }];
    await bed.api('PUT', `/v1/timegroup/${id}`, { ...group, exceptions });
    const closed = await bed.reach('200');
    await closed.hears(hz.closed, { forMs: 80 });
    await closed.hangUp();
    expect(step(await bed.record(closed), 'hours-closed').text).toContain('because of “Stock-taking”');
  });

  it('keeps calls from its agents while it is closed: they go to the failover, and the phone stays silent', async () => {
    const phone = await bed.agent('1004');
    const { id } = await make('timegroup', { name: 'Never', timezone: 'UTC' });
    const agent = { name: 'Four', failover_destination: 'ivr||closed' };
    await bed.api('PUT', `/v1/agent/${eidOf('1004')}`, { ...agent, timegroup_id: id });
    const call = await bed.reach('104');
    await call.hears(hz.closed, { forMs: 80 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toContain('agent-outside-hours');
    expect(phone.calls).toHaveLength(0);

    await bed.api('PUT', `/v1/timegroup/${id}`, { name: 'Always', timezone: 'UTC', weekly: [ALWAYS] });
    const again = await bed.dial('104');
    const incoming = await phone.incoming();
    await incoming.answer();
    await again.answered();
    await again.hangUp();
  });
});

describe('an announcement', () => {
  it('is heard to its end, and then the call goes on', async () => {
    const { id } = await make('announcement', {
      name: 'Law',
      recording: 'notice',
      destination: 'ivr||main',
    });
    await make('number', { number: '201', destination: `announcement||${id}` });
    const call = await bed.reach('201');
    await call.hears(hz.notice, { forMs: 300 });
    await call.hears(hz.prompt, { forMs: 80 });
    await call.hangUp();
  });
});

describe('the block list', () => {
  const refused = async (call: PhoneCall): Promise<void> => {
    expect(await call.finished()).toBe(603);
    expect(call.progress.filter((status) => status > 100)).toEqual([]);
  };

  it('declines a caller before the answer, from this machine and by a trunk, and records it', async () => {
    const ended = 'dialtree_calls_ended_total{end="caller-blocked"}';
    await make('blocked_number', { number: '+49900*', reason: 'Spam' });
    const call = await bed.dial('100', { phone: { user: '+4990012' } });
    await refused(call);
    const record = await bed.record('+4990012');
    expect(record).toMatchObject({
      direction: 'inbound',
      dialled: '100',
      end_code: 'caller-blocked',
      cause: 21,
    });
    expect(step(record, 'ended').text).toBe('The block list has +49900* (Spam): the call is refused.');
    await refused(await bed.dial('100', { phone: { user: '4990013', host: '127.0.0.2' } }));
    expect(await bed.metric(ended)).toBe(2);
    const other = await bed.reach('100', { phone: { user: '+49901' } });
    await other.hangUp();
  });

  it('keeps withheld numbers from one number, but no agent', async () => {
    const { id } = await make('blocked_number', { anonymous: true, dialled: '100' });
    await make('blocked_number', { number: '1002' });
    const privacy = { headers: [['Privacy', 'id']] as const };
    await refused(await bed.dial('100', privacy));
    const phone = await bed.agent('1002');
    const own = await (await phone.call('100')).answered();
    await own.hears(hz.prompt, { forMs: 80 });
    await own.hangUp();
    await bed.api('DELETE', `/v1/blocked_number/${id}`);
    const free = await bed.reach('100', privacy);
    await free.hangUp();
  });
});

describe('caller-id rules', () => {
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

  it('pass the caller on to a number to follow, withhold it, or show another; without one it is the trunk’s', async () => {
    expect((await headersOf(follow())).from).toMatch(/<sip:\+493099@/);

    const { id } = await make('caller_id_rule', { name: 'Follow', agent: eidOf('1003'), show: 'caller' });
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

  it('go by department and prefix for what agents dial, the first by priority', async () => {
    const phone = await bed.agent('1001');
    const general = await make('caller_id_rule', { name: 'All', priority: 50, show: '+493001' });
    const sales = await make('caller_id_rule', {
      name: 'Sales',
      priority: 10,
      department: 'sales',
      prefix: '+4420',
      show: '+493002',
    });
    expect((await headersOf(phone.call('+442012'))).from).toMatch(/<sip:\+493002@/);
    expect((await headersOf(phone.call('+443012'))).from).toMatch(/<sip:\+493001@/);
    for (const { id } of [general, sales]) await bed.api('DELETE', `/v1/caller_id_rule/${id}`);
    expect((await headersOf(phone.call('+442012'))).from).toMatch(/<sip:\+493099@/);
  });
});
