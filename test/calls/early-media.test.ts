// Early media: what a provider plays before the answer (183 with SDP) reaches the caller, and nothing is answered by it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'network', 'other', 'caller');
const INTERCOMS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007'];
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    recordings,
    agents: {
      ...Object.fromEntries(INTERCOMS.map((each) => [each, {}])),
      '2001': { follow_me_number: '+49302001', intercom: '' },
      '1007': { follow_me_number: '+49301007' },
    },
    menus: { main: { option: ['1', '7'], destination: [extension('2001'), extension('1007')], timeout: 30 } },
    numbers: { '100': 'ivr||main' },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
        agents_may_call: true,
      },
    },
  });
  bed.phones.push(provider);
});
afterAll(() => bed.close());

const incomingFor = (dialled: string): Promise<PhoneCall> =>
  bed.until(
    `a call to ${dialled}`,
    async () => provider.calls.find((call) => call.dialled === dialled) ?? null,
  );

/** An agent who dials outside, and the provider's side of it. */
async function outside(intercom: string, headers: readonly (readonly [string, string])[] = []) {
  const phone = await bed.agent(intercom);
  const number = `+4930${intercom}9`;
  const call = await phone.call(number, { headers });
  return { call, far: await incomingFor(number) };
}

describe.concurrent('early media', () => {
  it('is heard both ways before the answer, and the talk goes on after it', async () => {
    const { call, far } = await outside('1001');
    far.ring(183);
    await far.sendTone(hz.network);
    await call.progressed(183);
    await call.hears(hz.network, { forMs: 200 });
    await call.sendTone(hz.caller);
    await far.hears(hz.caller, { forMs: 200 });
    expect(call.status).toBe(null);
    await far.answer();
    await call.answered();
    call.forget();
    await call.hears(hz.network, { forMs: 200 });
    await call.hangUp();
    await far.ended();
    const record = await bed.record('1001');
    expect(codes(record)).toEqual(expect.arrayContaining(['early-media', 'connected']));
    expect(codes(record).indexOf('early-media')).toBeLessThan(codes(record).indexOf('answered'));
  });

  it('comes by a reliable 183 to a caller that supports 100rel, and the 200 waits for its PRACK', async () => {
    const { call, far } = await outside('1002', [['Supported', '100rel']]);
    far.ring(183);
    await far.sendTone(hz.network);
    await call.hears(hz.network, { forMs: 200 });
    await far.answer();
    await call.answered();
    call.forget();
    await call.hears(hz.network, { forMs: 200 });
    await call.hangUp();
    expect(JSON.stringify((await bed.record('1002')).ladder)).toContain('PRACK');
  });

  it('of an announcement that ends in 404: the announcement is heard, the call is never answered', async () => {
    const { call, far } = await outside('1003');
    far.ring(183);
    await far.sendTone(hz.network);
    await call.hears(hz.network, { forMs: 200 });
    far.reject(404, 'Not Found', [['Reason', 'Q.850;cause=1']]);
    expect(await call.finished()).toBe(404);
    expect(call.finalResponse && header(call.finalResponse, 'reason')).toBe('Q.850;cause=1');
  });

  it('takes the place of our ringback for a caller who was answered before', async () => {
    const call = await bed.choose('100', hz.prompt, '1');
    const far = await incomingFor('+49302001');
    await call.hears('dual', { forMs: 200 });
    far.ring(183);
    await far.sendTone(hz.network);
    await call.hears(hz.network, { forMs: 400 });
    await far.answer();
    await call.hangUp();
    await far.ended();
  });

  it('is not heard while another phone rings, and is as soon as it is the only one', async () => {
    const phone = await bed.agent('1007');
    const call = await bed.choose('100', hz.prompt, '7');
    const [desk, far] = await Promise.all([phone.incoming(), incomingFor('+49301007')]);
    desk.ring();
    far.ring(183);
    await far.sendTone(hz.network);
    await call.hears('dual', { forMs: 600 });
    desk.reject(486, 'Busy Here');
    await call.hears(hz.network, { forMs: 200 });
    await call.hangUp();
    await far.ended();
  });

  it('goes to a caller who sent no offer as a bare 180: the 200 has ours', async () => {
    const phone = await bed.agent('1004');
    const call = await phone.call('+493010049', { delayedOffer: true });
    const far = await incomingFor('+493010049');
    far.ring(183);
    await far.sendTone(hz.network);
    await call.progressed(180);
    await far.answer();
    await call.answered();
    await call.hears(hz.network, { forMs: 200 });
    expect(call.progress).not.toContain(183);
    await call.hangUp();
  });

  it('is cancelled with the call', async () => {
    const { call, far } = await outside('1005');
    far.ring(183);
    await call.progressed(183);
    await call.hangUp();
    expect(await far.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect(await bed.record('1005')).toMatchObject({ end_code: 'caller-hung-up' });
  });
});
