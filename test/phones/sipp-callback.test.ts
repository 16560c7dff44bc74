// A caller who is called back behind a provider that is SIPp: busy at the first attempt, answering at the second. SIPp sends back what it
// hears, so the agent hears the own tone through both legs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call, type Json } from '../support/service.ts';
import { freePort, has } from './support/program.ts';
import { Sipp } from './support/sipp.ts';

const PROVIDER = '127.0.0.7';
const CALLER = '+442079460777';
const TONE_HZ = 700;

describe.runIf(has('sipp'))('a caller with SIPp who is called back', () => {
  let pbx: Pbx;
  let port = 0;
  const phones: Phone[] = [];
  const get = async (path: string): Promise<Json> => (await call(pbx.url, 'GET', path)).json;

  beforeAll(async () => {
    port = await freePort(PROVIDER);
    pbx = await startPbx({
      agents: { '1001': {} },
      departments: {
        sales: { queue: true, agents: [eidOf('1001')], callback_key: '5', callback_pause_seconds: 1 },
      },
      numbers: { '200': 'department||sales' },
      trunks: {
        provider: {
          host: PROVIDER,
          port,
          addresses: [PROVIDER],
          outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
          agents_may_call: true,
        },
      },
    });
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await pbx?.remove();
  });

  it('is busy first, and answers then: the agent hears the own tone come back', async () => {
    const open = async (user: string, password?: string): Promise<Phone> => {
      const phone = await Phone.open({ server: pbx.sip, user, ...(password ? { password } : {}) });
      phones.push(phone);
      return phone;
    };
    const agent = await open('1001', PASSWORD);
    expect(await agent.register()).toBe(200);
    const talk = await (await open('5550001')).call('200');
    await (await agent.incoming()).answer();
    await talk.answered();
    const asking = await (await open(CALLER)).call('200');
    await asking.answered();
    await asking.pressKeys('51');
    await asking.ended({ withinMs: 30_000 });
    const [callback] = (await get('/v1/callbacks?open=true')).data;
    expect(callback).toMatchObject({ number: CALLER, state: 'waiting' });

    const provider = { server: pbx.sip, host: PROVIDER, port };
    const busy = await Sipp.start({ ...provider, scenario: 'agent-busy' });
    await talk.hangUp();
    const first = await agent.incoming({ withinMs: 30_000 });
    await first.answer();
    expect(await busy.ended).toMatchObject({ code: 0, successful: 1 });
    const answering = await Sipp.start({ ...provider, scenario: 'agent-answers', more: ['-rtp_echo'] });
    await first.hangUp();
    const second = await agent.incoming({ withinMs: 30_000 });
    await second.answer();
    await second.sendTone(TONE_HZ);
    await second.hears(TONE_HZ, { forMs: 300 });
    await second.hangUp();
    const seen = await answering.ended;
    expect(seen, seen.story).toMatchObject({ code: 0, successful: 1 });
    expect(seen.messages.find(({ way }) => way === 'received')?.first).toBe(
      `INVITE sip:${CALLER}@${PROVIDER}:${port} SIP/2.0`,
    );
    expect(await get(`/v1/callback/${callback.id}`)).toMatchObject({
      state: 'done',
      attempts: 2,
      result: 'busy',
    });
  });
});
