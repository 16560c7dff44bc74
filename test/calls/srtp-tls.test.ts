// SRTP over TLS, whole calls: there the service offers keys of its own. With phones that we did not write: test/phones/srtp.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import type { Law } from '../support/phone/law.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { PhoneOptions } from '../support/phone/phone-options.ts';
import { header } from '../support/phone/sip-text.ts';
import type { Json } from '../support/service.ts';
import { tlsFiles, tlsPlace } from '../support/tls-files.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'caller', 'agent');
const WIDE: readonly Law[] = ['g722', 'pcmu'];
const files = tlsFiles();
/** The provider's address on loopback. */
const PROVIDER = '127.0.0.2';
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ server: { host: '127.0.0.1', port: 1 }, host: PROVIDER, user: 'provider' });
  bed = await PhoneBed.open({
    recordings,
    menus: { main: { timeout: 60 } },
    agents: { '1001': {}, '1002': {} },
    numbers: { '100': 'ivr||main', '101': extension('1001') },
    trunks: {
      strict: {
        host: PROVIDER,
        port: provider.port,
        addresses: [PROVIDER],
        inbound_numbers: ['100'],
        outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
        agents_may_call: true,
        srtp: 'required',
      },
    },
    env: files.env,
  });
  bed.phones.push(provider);
  const room = await bed.api('POST', '/v1/room', { name: 'room', record: true, announce: false });
  expect(room.status, room.text).toBe(201);
  await bed.api('POST', '/v1/number', { number: '200', destination: `room||${room.json.id}` });
}, 60_000);
afterAll(async () => {
  await bed?.close();
  files.remove();
});

const secure = (user: string, options: Partial<PhoneOptions> = {}): Promise<Phone> =>
  bed.agent(user, { transport: 'tls', server: tlsPlace(bed.pbx), sdp: { srtp: {} }, ...options });

async function hear(one: PhoneCall, other: PhoneCall): Promise<void> {
  one.forget();
  other.forget();
  await one.sendTone(hz.caller);
  await other.sendTone(hz.agent);
  await Promise.all([one.hears(hz.agent, { forMs: 200 }), other.hears(hz.caller, { forMs: 200 })]);
}

const reach = (call: PhoneCall, wanted: Law) => expect.poll(() => call.remote?.law).toBe(wanted);

describe('an agent with a phone on TLS and one on UDP', () => {
  it('is offered keys on TLS alone: the phone on UDP gets none, in no offer of the call', async () => {
    const encrypted = await secure('1001');
    const plain = await bed.agent('1001', { sdp: { codecs: WIDE } });
    const from = await bed.agent('1002', { sdp: { codecs: WIDE } });
    const caller = await from.call('1001');
    const [rung, called] = [await encrypted.incoming(), await plain.incoming()];
    expect(rung.descriptions[0]).toContain('a=crypto');
    await called.answer();
    await caller.answered();
    await rung.ended();
    await hear(caller, called);
    await Promise.all([reach(caller, 'g722'), reach(called, 'g722')]);
    expect(called.descriptions.length).toBeGreaterThan(1);
    for (const description of called.descriptions) expect(description).not.toContain('a=crypto');
    await caller.hangUp();
    await called.ended();
    for (const phone of [encrypted, plain, from]) await phone.unregister();
  });

  it('talks encrypted on TLS, and the record says that the keys were secret', async () => {
    const [encrypted, plain] = [await secure('1001'), await bed.agent('1001')];
    const caller = await bed.dial('101');
    const [called] = [await encrypted.incoming(), await plain.incoming()];
    await called.answer();
    await caller.answered();
    await hear(caller, called);
    await caller.hangUp();
    await called.ended();
    const { legs } = await bed.record(caller);
    expect(legs).toMatchObject([
      { encryption: 'none', keys_over_tls: null },
      { encryption: 'sdes', keys_over_tls: true },
    ]);
    for (const phone of [encrypted, plain]) await phone.unregister();
  });
});

const unregister = async (...phones: readonly Phone[]): Promise<void> => {
  for (const phone of phones) await phone.unregister();
};

describe('two encrypted phones', () => {
  it('talk in G.722, encrypted as before, and hear each other', async () => {
    const wide = { sdp: { srtp: {}, codecs: WIDE } };
    const [from, to] = [await secure('1001', wide), await secure('1002', wide)];
    const caller = await from.call('1002');
    const called = await (await to.incoming()).answer();
    await caller.answered();
    await hear(caller, called);
    await Promise.all([reach(caller, 'g722'), reach(called, 'g722')]);
    await hear(caller, called);
    for (const each of [caller, called]) expect(each.remote?.crypto).not.toBe(null);
    await caller.hangUp();
    await called.ended();
    const { legs } = await bed.record('1001');
    expect(legs.map(({ encryption }: Json) => encryption)).toEqual(['sdes', 'sdes']);
    await unregister(from, to);
  });

  it('hear each other in a conference room beside a plain one, and all three are recorded', async () => {
    const [from, to] = [await secure('1001'), await secure('1002')];
    const [one, other] = [await from.call('200'), await to.call('200')];
    await Promise.all([one.answered(), other.answered()]);
    await hear(one, other);
    const plain = await bed.reach('200');
    await other.sendTone(0);
    await plain.hears(hz.caller, { forMs: 300 });
    await one.sendTone(0);
    await plain.sendTone(hz.prompt);
    for (const each of [one, other]) {
      each.forget();
      await each.hears(hz.prompt, { forMs: 300 });
    }
    for (const each of [one, other, plain]) await each.hangUp();
    const found = await bed.until('the recording', async () => {
      const { json } = await bed.api('GET', '/v1/call/recordings');
      return json.data[0] ?? null;
    });
    expect(found.duration_ms).toBeGreaterThan(1_000);
    await unregister(from, to);
  });
});

describe('a trunk that requires SRTP', () => {
  const inbound = async (options: object): Promise<PhoneCall> => {
    const phone = await bed.phone({ user: '+44170', host: PROVIDER, ...options });
    return phone.call('100');
  };

  it('refuses a call without keys, and takes one with them', async () => {
    const plain = await inbound({});
    expect(await plain.finished()).toBe(488);
    expect(plain.finalResponse && header(plain.finalResponse, 'warning')).toContain('SRTP is required');
    const call = await (await inbound({ sdp: { srtp: {} } })).answered();
    await call.hears(hz.prompt, { forMs: 300 });
    expect(call.remote).toMatchObject({ protocol: 'RTP/SAVP' });
    await call.hangUp();
  });

  it.each([
    ['an answer with keys is heard', { srtp: {} }],
    ['one without them ends the call', {}],
  ])('is called by RTP/SAVP: %s', async (_name, sdp: { srtp?: object }) => {
    const from = await secure('1001');
    const call = await from.call('+493012');
    const far = await provider.incoming();
    expect(far.remote?.protocol).toBe('RTP/SAVP');
    if (sdp.srtp) {
      await far.answer(sdp);
      await call.answered();
      await hear(call, far);
      await call.hangUp();
      await far.ended();
    } else {
      void far.answer().catch(() => undefined);
      await far.ended();
      expect(await call.finished()).toBeGreaterThanOrEqual(400);
    }
    await unregister(from);
  });
});
