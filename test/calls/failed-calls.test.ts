// A call that fails before anything was answered: by default its caller gets the reason as a status, and pays nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'network');
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008', '1009', '1010'];
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    recordings,
    settings: { ring_seconds: 5 },
    agents: { ...Object.fromEntries(AGENTS.map((each) => [each, {}])), '1009': { custom_status: 1 } },
    menus: { main: { option: ['8'], destination: [extension('1008')], timeout: 30 } },
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

  it('that nobody answers gets 480 with cause 19', async () => {
    const phone = await bed.agent('1007');
    const call = await bed.dial('71007');
    (await phone.incoming()).ring();
    expect(await call.finished({ withinMs: 15_000 })).toBe(480);
    expect(final(call, 'reason')).toBe('Q.850;cause=19');
  });

  it('to a blocked agent or to nothing gets 603 and 404', async () => {
    const calls = await Promise.all([bed.dial('71009'), bed.dial('404')]);
    expect(await Promise.all(calls.map((call) => call.finished()))).toEqual([603, 404]);
  });

  it('in a menu, which answers, ends in an apology', async () => {
    const call = await bed.choose('100', hz.prompt, '8');
    expect(await call.ended({ withinMs: 25_000 })).toMatchObject({ by: 'peer', how: 'bye', cause: 20 });
    expect(codes(await bed.record(call))).toEqual(expect.arrayContaining(['answered', 'apology']));
  });

  it('is announced in 183, or answered, where the account says so', async () => {
    const set = (failed_calls: string) => bed.api('PATCH', '/v1/settings', { failed_calls });
    expect((await set('announce')).status).toBe(200);
    const announced = await bed.dial('71008');
    expect(await announced.finished({ withinMs: 25_000 })).toBe(480);
    expect(announced.progress).toContain(183);
    expect(announced.heard().some(({ hz: what }) => what !== 'silence' && what !== 'nothing')).toBe(true);
    expect(codes(await bed.record(announced))).toContain('apology');
    expect((await set('answer')).status).toBe(200);
    const answered = await bed.reach('71008');
    expect(await answered.ended({ withinMs: 25_000 })).toMatchObject({ how: 'bye', cause: 20 });
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
