// Before the answer: early media that a provider plays (183 with SDP) is heard by the caller, and a call that fails gets its reason as a
// status; neither answers anything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'network', 'caller');
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008', '1009', '1010'];
/** Agents of the tests of early media. */
const EARLY = ['2001', '2002', '2003', '2004', '2005', '2007'];
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    recordings,
    agents: {
      ...Object.fromEntries([...AGENTS, ...EARLY].map((each) => [each, {}])),
      '1009': { custom_status: 1 },
      '3001': { follow_me_number: '+49302001', intercom: '' },
      '2007': { follow_me_number: '+49301007' },
    },
    menus: { main: { option: ['1', '7'], destination: [extension('3001'), extension('2007')], timeout: 30 } },
    numbers: {
      '100': 'ivr||main',
      '404': 'ivr||none',
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
    },
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

function final(call: PhoneCall, name: string): string {
  return call.finalResponse ? header(call.finalResponse, name) : '';
}

describe('a call that fails before it was answered', () => {
  it.concurrent.each([
    ['1001', 486, 'Busy Here', 486, 17, 'agent-busy'],
    ['1002', 404, 'Not Found', 404, 1, 'agent-unreachable'],
    ['1003', 480, 'Temporarily Unavailable', 480, 18, 'agent-unreachable'],
    ['1004', 603, 'Decline', 603, 21, 'agent-busy'],
    ['1005', 503, 'Service Unavailable', 500, 41, 'agent-unreachable'],
  ] as const)('to %s, whose phone says %i %s, gets %i', async (to, status, text, passed, cause, end) => {
    const phone = await bed.agent(to);
    const call = await bed.dial(`7${to}`);
    const incoming = await phone.incoming();
    incoming.ring();
    incoming.reject(status, text);
    expect(await call.finished()).toBe(passed);
    expect(final(call, 'reason')).toBe(`Q.850;cause=${cause}`);
    expect(call.heard()).toEqual([]);
    const record = await bed.record(call);
    expect(record).toMatchObject({ end_code: end, answered_by: null });
    expect(codes(record)).not.toContain('answered');
    expect(record.legs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ role: 'caller', status: passed, cause }),
        expect.objectContaining({ role: 'called', status }),
      ]),
    );
  });

  it('over a trunk gets the provider’s 488 with its Warning and its cause', async () => {
    const phone = await bed.agent('1006');
    const call = await phone.call('+49301');
    const far = await provider.incoming();
    far.reject(488, 'Not Acceptable Here', [
      ['Warning', '305 sbc3.example.net "Incompatible media format: no PCMU from 10.1.2.3"'],
      ['Reason', 'Q.850;cause=65;text="Bearer capability"'],
    ]);
    expect(await call.finished()).toBe(488);
    expect(final(call, 'warning')).toBe('305 dialtree "Incompatible media format: no PCMU from -"');
    expect(final(call, 'reason')).toBe('Q.850;cause=65');
  });

  it('to a blocked agent or to nothing gets 603 and 404', async () => {
    const calls = await Promise.all([bed.dial('71009'), bed.dial('404')]);
    expect(await Promise.all(calls.map((call) => call.finished()))).toEqual([603, 404]);
  });

  it('is announced in 183, or answered, where the account says so', async () => {
    const set = (failed_calls: string) => bed.api('PATCH', '/v1/settings', { failed_calls });
    expect((await set('announce')).status).toBe(200);
    const announced = await bed.dial('71008');
    expect(await announced.finished({ withinMs: 30_000 })).toBe(480);
    expect(announced.progress).toContain(183);
    expect(announced.heard().some(({ hz: what }) => what !== 'silence' && what !== 'nothing')).toBe(true);
    expect(codes(await bed.record(announced))).toContain('apology');
    expect((await set('answer')).status).toBe(200);
    const answered = await bed.reach('71008');
    expect(await answered.ended({ withinMs: 30_000 })).toMatchObject({ how: 'bye', cause: 20 });
    expect((await set('status')).status).toBe(200);
  });
});

describe('a malformed or unusable offer', () => {
  it.each([
    ['m=audio 4000 RTP/AVP 18\r\na=rtpmap:18 G729/8000\r\n', 488, 305],
    ['m=video 4000 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n', 488, 304],
    ['m=audio 4000 RTP/SAVP 0\r\n', 488, 302],
  ])('%s is refused with %i and Warning %i', async (media, status, code) => {
    const phone = await bed.phone();
    const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n${media}`;
    const call = await phone.call('100', { sdp: { raw: sdp } });
    expect(await call.finished()).toBe(status);
    expect(final(call, 'warning')).toMatch(new RegExp(`^${code} dialtree "`));
  });
});

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
    const { call, far } = await outside('2001');
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
    const record = await bed.record('2001');
    expect(codes(record)).toEqual(expect.arrayContaining(['early-media', 'connected']));
    expect(codes(record).indexOf('early-media')).toBeLessThan(codes(record).indexOf('answered'));
  });

  it('comes by a reliable 183 to a caller that supports 100rel, and the 200 waits for its PRACK', async () => {
    const { call, far } = await outside('2002', [['Supported', '100rel']]);
    far.ring(183);
    await far.sendTone(hz.network);
    await call.hears(hz.network, { forMs: 200 });
    await far.answer();
    await call.answered();
    call.forget();
    await call.hears(hz.network, { forMs: 200 });
    await call.hangUp();
    expect(JSON.stringify((await bed.record('2002')).ladder)).toContain('PRACK');
  });

  it('of an announcement that ends in 404: the announcement is heard, the call is never answered', async () => {
    const { call, far } = await outside('2003');
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
    const phone = await bed.agent('2007');
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
    const phone = await bed.agent('2004');
    const call = await phone.call('+493020049', { delayedOffer: true });
    const far = await incomingFor('+493020049');
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
    const { call, far } = await outside('2005');
    far.ring(183);
    await call.progressed(183);
    await call.hangUp();
    expect(await far.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect(await bed.record('2005')).toMatchObject({ end_code: 'caller-hung-up' });
  });
});
