// Phones in web pages, by who sends: what each may do over its WebSocket, and who takes up which call (docs/browser-phones.md, T67, T68).
// Media is plain RTP here, from the test phone on this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKey } from '../../src/domain/phone-session.ts';
import { ACCOUNT, eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');
const ORIGIN = 'https://www.example.com';
const KEY = publicKey(ACCOUNT, 'website-sales');
let bed: PhoneBed;
const { session, page, buttonSession } = new WebPages(() => bed);

beforeAll(async () => {
  bed = await PhoneBed.open({
    // Phones in pages are offered plain RTP then, which the phones of this test speak.
    env: { WEBRTC_PORT: 'off' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main', '200': extension('1002') },
    settings: { call_buttons: [{ key: 'website-sales', name: 'Sales', to: 'ivr||main', origins: [ORIGIN] }] },
  });
});
afterAll(() => bed.close());

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
