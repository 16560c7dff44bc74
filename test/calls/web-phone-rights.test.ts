// Phones in web pages, by who sends: what each may do over its WebSocket, who takes up which call, how calls of pages end, and that none goes on
// without its session: neither by another transport, nor by the page of somebody else, nor while another page of the agent is open
// (docs/browser-phones.md; docs/threat-model.md, T67, T68). Media is plain RTP here, from the test phone on this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKey } from '../../src/domain/phone-session.ts';
import { ACCOUNT, eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { SdpOptions } from '../support/phone/sdp-text.ts';
import { header, type SipText } from '../support/phone/sip-text.ts';
import { call as ask, type Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');
const ORIGIN = 'https://www.example.com';
const KEY = publicKey(ACCOUNT, 'website-sales');
/** Less than a page that is gone is waited for. */
const AT_ONCE_MS = 6_000;
let bed: PhoneBed;
let desk: Phone;
const { session, page, buttonSession, socketUrl } = new WebPages(() => bed);

beforeAll(async () => {
  bed = await PhoneBed.open({
    // Phones in pages are offered plain RTP then, which the phones of this test speak.
    env: { WEBRTC_PORT: 'off' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {}, '1004': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main', '200': extension('1002') },
    settings: { call_buttons: [{ key: 'website-sales', name: 'Sales', to: 'ivr||main', origins: [ORIGIN] }] },
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

describe('who may do what over the WebSocket', () => {
  const LATER = { agent: eidOf('1003') };
  /** Who sends, as its session and what it knows of it. */
  const WHO: Readonly<Record<string, () => Promise<Phone>>> = {
    'an agent': async () => page(await session(LATER)),
    'a guest': async () => page(await session({ to: '100' })),
    'a visitor by a button': async () => page((await buttonSession(KEY, ORIGIN)).json, ORIGIN),
    'an agent’s page with a wrong secret': async () => page({ ...(await session(LATER)), password: 'wrong' }),
    'a guest’s page with an agent’s user and secret': async () => {
      const { username, password } = await session(LATER);
      return page({ ...(await session({ to: '100' })), username, password });
    },
    'an agent’s page with a guest’s user and secret': async () => {
      const { username, password } = await session({ to: '100' });
      return page({ ...(await session(LATER)), username, password });
    },
  };
  /** Statuses in the order of WHO. */
  // biome-ignore format: a table is read by its columns
  const MAY: readonly (readonly [string, ...number[]])[] = [
    ['OPTIONS',   200, 200, 200, 200, 200, 200],
    ['REGISTER',  200, 403, 403, 401, 403, 401],
    ['SUBSCRIBE', 200, 403, 403, 401, 403, 401],
    ['REFER',     403, 403, 403, 401, 403, 401],
    ['INVITE',    488, 488, 488, 401, 401, 401],
    ['MESSAGE',   405, 405, 405, 405, 405, 405],
    ['PUBLISH',   405, 405, 405, 405, 405, 405],
    ['BYE',       405, 405, 405, 405, 405, 405],
  ];

  const REFER = [
    ['Refer-To', '<sip:1001@127.0.0.1>'],
    ['Target-Dialog', 'nothing;local-tag=a;remote-tag=b'],
  ] as const;

  /** As a page would, with its answer to the challenge. */
  async function statusOf(phone: Phone, method: string): Promise<number> {
    const tag = Math.random().toString(36).slice(2);
    const uri = `sip:1002@${phone.options.server.host}`;
    const own = method === 'REGISTER' ? phone.address : uri;
    const send = (cseq: number, more: readonly (readonly [string, string])[]) =>
      phone.transactions.request({
        method,
        uri,
        to: phone.options.server,
        headers: [
          ['Max-Forwards', '70'],
          ['From', `<${phone.address}>;tag=${tag}`],
          ['To', `<${own}>`],
          ['Call-ID', `${tag}-${method}`],
          ['CSeq', `${cseq} ${method}`],
          ['Contact', phone.contact],
          ...(method === 'SUBSCRIBE' ? [['Event', 'dialog'] as const] : []),
          ...(method === 'REFER' ? REFER : []),
          ...(method === 'INVITE' ? [['Content-Type', 'application/sdp'] as const] : []),
          ...more,
        ],
        // No stream that could be taken: what is looked at first is who asks.
        ...(method === 'INVITE' ? { body: 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n' } : {}),
      });
    const first = await send(1, []);
    const credentials = phone.credentials(first, method, uri);
    return (credentials === null ? first : await send(2, [credentials])).status ?? 0;
  }
  it.each([...Object.keys(WHO).entries()])('%i: %s', async (column, who) => {
    const phone = await WHO[who]?.();
    if (!phone) throw new Error(who);
    const statuses: [string, number][] = [];
    for (const [method] of MAY) statuses.push([method, await statusOf(phone, method)]);
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(MAY.map(([method, ...all]) => [method, all[column]])),
    );
    phone.close();
  });
});

describe('the sound of a page, without WebRTC', () => {
  it.each([{ to: '100' }, { agent: eidOf('1003') }])(
    'goes where its WebSocket is, and nowhere else: %o',
    async (body) => {
      const web = await page(await session(body));
      const elsewhere = { address: '127.0.0.3' };
      expect(await (await web.call('100', { sdp: elsewhere })).ended()).toMatchObject({ status: 488 });
      const call = await (await web.call('100')).answered();
      expect(await call.reinvite(elsewhere)).toBe(488);
      await call.hears(hz.prompt);
      await call.hangUp();
    },
  );
});

describe('a page that was loaded again', () => {
  const replacing = (call: PhoneCall) => {
    const { callId, localTag, remoteTag } = call.dialog;
    return { headers: [['Replaces', `${callId};to-tag=${remoteTag};from-tag=${localTag}`]] as const };
  };

  it('takes up its call with another session: a visitor in the menu and in a conversation, an agent in one', async () => {
    const first = await page(await session({ to: 'ivr||main' }));
    const before = await (await first.call('call')).answered();
    await before.hears(hz.prompt);
    first.close();
    const second = await page(await session({ to: 'ivr||main' }));
    const inMenu = await (await second.call('call', replacing(before))).answered();
    await inMenu.hears(hz.prompt);
    const agent = await page(await session({ agent: eidOf('1001') }));
    expect(await agent.register()).toBe(200);
    await inMenu.pressKeys('1');
    const rung = await agent.incoming();
    await rung.answer();
    second.close();
    const third = await page(await session({ to: 'ivr||main' }));
    const talking = await (await third.call('call', replacing(inMenu))).answered();
    await talking.sendTone(hz.caller);
    await rung.sendTone(hz.agent);
    await Promise.all([talking.hears(hz.agent), rung.hears(hz.caller)]);
    agent.close();
    const agentAgain = await page(await session({ agent: eidOf('1001') }));
    const atAgent = await (await agentAgain.call('1001', replacing(rung))).answered();
    await atAgent.sendTone(hz.prompt);
    await Promise.all([talking.hears(hz.prompt), atAgent.hears(hz.caller)]);
    await talking.hangUp();
    await atAgent.ended();
    const replaced = await bed.until('the record', async () => {
      const { steps }: Json = await bed.record('web');
      const found = steps.filter(({ code }: Json) => code === 'party-replaced');
      return found.length > 0 && found;
    });
    expect(replaced).toHaveLength(3);
  });

  it('takes no call of another button or destination, nor that of an agent', async () => {
    const agent = await bed.agent('1002');
    const victim = await page(await session({ to: '200' }));
    const call = await victim.call('200');
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    const refused = async (body: Json, dial: string, named: PhoneCall, origin?: string) =>
      (await (await page(body, origin)).call(dial, replacing(named))).ended();
    expect(await refused(await session({ to: 'ivr||main' }), 'call', call)).toMatchObject({ status: 481 });
    expect(await refused(await session({ to: '200' }), '200', rung)).toMatchObject({ status: 481 });
    const { json } = await buttonSession(KEY, ORIGIN);
    expect(await refused(json, json.dial, call, ORIGIN)).toMatchObject({ status: 481 });
    await call.hangUp();
  });
});
