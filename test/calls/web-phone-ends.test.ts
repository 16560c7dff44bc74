// How calls of pages end, and that none goes on without its session: neither by another transport, nor by the page of somebody else, nor while
// another page of the agent is open (docs/threat-model.md, T67, T68). Media is plain RTP here, from the test phone on this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { SdpOptions } from '../support/phone/sdp-text.ts';
import { header, type SipText } from '../support/phone/sip-text.ts';
import { call as ask, type Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent');
/** Less than a page that is gone is waited for. */
const AT_ONCE_MS = 6_000;
let bed: PhoneBed;
let desk: Phone;
const { session, page, socketUrl } = new WebPages(() => bed);

beforeAll(async () => {
  bed = await PhoneBed.open({
    // Phones in pages are offered plain RTP then, which the phones of this test speak.
    env: { WEBRTC_PORT: 'off' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {} },
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main', '200': extension('1002') },
  });
  desk = await bed.agent('1002');
});
afterAll(() => bed.close());

/** A token and what ends it. */
async function token(): Promise<{ session: (body: object) => Promise<Json>; revoke: () => Promise<void> }> {
  const { json } = await bed.api('POST', '/v1/token', { name: 'page', scopes: ['calls'] });
  return {
    session: async (body) =>
      (await ask(bed.pbx.url, 'POST', '/v1/phone_session', { body, token: json.token })).json,
    revoke: async () => {
      expect((await bed.api('DELETE', `/v1/token/${json.id}`)).status).toBe(200);
    },
  };
}

/** From a page to the desk phone of 1002. */
async function talk(web: Phone, dialled = '1002'): Promise<{ call: PhoneCall; called: PhoneCall }> {
  const call = await web.call(dialled);
  const called = await desk.incoming();
  await called.answer();
  await call.answered();
  return { call, called };
}

/** Another phone sends what the page of the call would. */
async function sends(by: Phone, { dialog }: PhoneCall, method: string, more: SipText['headers'] = []) {
  const to = by.options.server;
  return (await by.transactions.request({ ...dialog.build(method, more), to })).status;
}

const REFER = [['Refer-To', '<sip:100@127.0.0.1>']] as const;

describe('a call of a page', () => {
  it.each([
    ['an agent', { agent: eidOf('1001') }, '1002'],
    ['a guest', { to: '200' }, '200'],
  ])('of %s is not carried on by UDP, and ends with its token', async (_, body, dialled) => {
    const made = await token();
    const web = await page(await made.session(body));
    const { call, called } = await talk(web, dialled);
    const udp = await bed.phone();
    expect(await sends(udp, call, 'UPDATE')).toBe(481);
    expect(await sends(udp, call, 'REFER', REFER)).toBe(481);
    expect(await sends(udp, call, 'INFO')).toBe(481);
    expect(await sends(web, call, 'UPDATE')).toBe(200);
    await made.revoke();
    await called.ended({ withinMs: AT_ONCE_MS });
    expect(await sends(udp, call, 'UPDATE')).toBe(481);
    call.abandon();
  });

  it('ends with its token at once, also while another page of the agent is open', async () => {
    const own = await page(await session({ agent: eidOf('1001') }));
    expect(await own.register()).toBe(200);
    const stolen = await token();
    const web = await page(await stolen.session({ agent: eidOf('1001') }));
    const { call, called } = await talk(web);
    await stolen.revoke();
    await called.ended({ withinMs: AT_ONCE_MS });
    expect(own.closeCode).toBeNull();
    call.abandon();
    own.close();
  });

  it('is not carried on by the page of another agent or guest', async () => {
    const web = await page(await session({ to: '200' }));
    const { call, called } = await talk(web, '200');
    for (const body of [{ to: '200' }, { agent: eidOf('1001') }]) {
      const other = await page(await session(body));
      expect(await sends(other, call, 'UPDATE')).toBe(481);
      expect(await sends(other, call, 'BYE')).toBe(481);
      other.close();
    }
    await call.hangUp();
    await called.ended();
  });
});

describe('a page whose connection was lost', () => {
  it('has its call by another one of the same session, without a word', async () => {
    const made = await session({ to: '200' });
    const web = await page(made);
    const { call, called } = await talk(web, '200');
    const again = await page(made);
    web.close();
    await called.sendTone(hz.agent);
    expect(await sends(again, call, 'UPDATE')).toBe(200);
    await called.hangUp();
    await expect
      .poll(() => again.log.some(({ way, first }) => way === 'received' && first.startsWith('BYE ')))
      .toBe(true);
  });

  it('has its call by another session of its agent once that says so', async () => {
    const web = await page(await session({ agent: eidOf('1001') }));
    const { call, called } = await talk(web);
    web.close();
    const again = await page(await session({ agent: eidOf('1001') }));
    expect(await sends(again, call, 'UPDATE')).toBe(200);
    await called.hangUp();
    await expect
      .poll(() => again.log.some(({ way, first }) => way === 'received' && first.startsWith('BYE ')))
      .toBe(true);
  });
});

describe('a subscription of a page', () => {
  it('is not refreshed by UDP', async () => {
    const web = await page(await session({ agent: eidOf('1001') }));
    expect(await web.register()).toBe(200);
    const made = await web.subscribe('1002', 'dialog');
    expect(made.status).toBe(200);
    const udp = await bed.phone();
    const refresh = async (by: Phone, cseq: number) =>
      (
        await by.transactions.request({
          method: 'SUBSCRIBE',
          uri: `sip:1002@${by.options.server.host}`,
          to: by.options.server,
          headers: [
            ['Max-Forwards', '70'],
            ['From', header(made, 'from')],
            ['To', header(made, 'to')],
            ['Call-ID', header(made, 'call-id')],
            ['CSeq', `${cseq} SUBSCRIBE`],
            ['Contact', by.contact],
            ['Event', 'dialog'],
            ['Expires', '300'],
          ],
        })
      ).status;
    expect(await refresh(udp, 7)).toBe(481);
    expect(await refresh(web, 8)).toBe(200);
    web.close();
  });
});

describe('a page in wideband, whose call somebody listens to', () => {
  const WIDEBAND: SdpOptions = { codecs: ['g722', 'pcmu'] };
  const widePage = ({ username, password, path }: Json): Promise<Phone> =>
    bed.phone({
      user: username,
      password,
      transport: 'ws',
      webSocket: { url: socketUrl(path) },
      sdp: WIDEBAND,
    });
  const invites = ({ log }: Phone): number =>
    log.filter(({ way, first }) => way === 'received' && first.startsWith('INVITE ')).length;

  /** Both in G.722, and the page does not answer re-INVITEs any more when the listener is there. */
  async function listened() {
    const made = await session({ agent: eidOf('1001') });
    const web = await widePage(made);
    const other = await bed.agent('1004', { sdp: WIDEBAND });
    const call = await web.call('1004');
    const called = await other.incoming();
    await called.answer();
    await call.answered();
    await expect
      .poll(() => [call.remote?.law, called.remote?.law], { timeout: 8_000 })
      .toEqual(['g722', 'g722']);
    web.faults.ignore = ['INVITE'];
    const before = invites(web);
    const supervisor = await bed.agent('1003');
    const { json } = await bed.api('GET', '/v1/live_calls');
    const { id } = json.data.find(({ caller }: Json) => caller === '1001');
    await bed.api('POST', '/v1/call/listen', { call_id: id, agent: eidOf('1003'), mode: 'monitor' });
    const listening = await supervisor.incoming();
    await listening.answer();
    await expect.poll(() => invites(web), { timeout: 5_000 }).toBe(before + 1);
    return { made, web, call, called, listening, other, supervisor };
  }

  it('is asked again when it has left its connection, and is back by another', async () => {
    const { made, web, call, called, other, supervisor } = await listened();
    web.close();
    const again = await widePage(made);
    await expect.poll(() => invites(again), { timeout: 10_000 }).toBe(1);
    // This phone has nothing of the call: its 481 ends it.
    await called.ended();
    call.abandon();
    for (const phone of [other, supervisor]) await phone.unregister();
  });
});
