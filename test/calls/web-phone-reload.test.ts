// Pages that are loaded again in the middle of something: a consultation, a conference room, listening in, a voice bot. Media is plain RTP here,
// from the test phone on this machine.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { Bot, type BotCall, isTone, received, say, toneAudio } from './support/bot.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(20_000, 'prompt', 'agent', 'caller', 'third', 'again');
let bed: PhoneBed;
let bot: Bot;
const { session, page } = new WebPages(() => bed);

beforeAll(async () => {
  bot = await Bot.open({});
  bed = await PhoneBed.open({
    env: { WEBRTC_PORT: 'off', OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    agents: { '1001': {}, '1002': {}, '1003': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main' },
  });
  const room = await bed.api('POST', '/v1/room', { name: 'Team', announce: false });
  const number = { number: '200', destination: `room||${room.json.id}` };
  expect((await bed.api('POST', '/v1/number', number)).status).toBe(201);
  const stream = { name: 'Bot', url: `${bot.url}/talk`, next_destination: 'ivr||main' };
  const made = await bed.api('POST', '/v1/stream', { ...stream, failed_destination: 'ivr||main' });
  expect(made.status, made.text).toBe(201);
  const toBot = { number: '300', destination: `stream||${made.json.id}` };
  expect((await bed.api('POST', '/v1/number', toBot)).status).toBe(201);
});
afterEach(() => bed.idle());
afterAll(async () => {
  await bed.close();
  await bot.close();
});

const replacing = (call: PhoneCall) => {
  const { callId, localTag, remoteTag } = call.dialog;
  return { headers: [['Replaces', `${callId};to-tag=${remoteTag};from-tag=${localTag}`]] as const };
};

async function agentPage(intercom: string): Promise<Phone> {
  const made = await page(await session({ agent: eidOf(intercom) }));
  expect(await made.register()).toBe(200);
  return made;
}

/** The page closes, and another of the same agent or destination takes the call up. */
async function reloaded(before: Phone, call: PhoneCall, body: object): Promise<[Phone, PhoneCall]> {
  before.close();
  const made = await session(body);
  const after = await page(made);
  if ('agent' in body) expect(await after.register()).toBe(200);
  return [after, await (await after.call(made.dial ?? '1001', replacing(call))).answered()];
}

async function hearEachOther(one: [PhoneCall, number], other: [PhoneCall, number]): Promise<void> {
  const [[first, firstHz], [second, secondHz]] = [one, other];
  await first.sendTone(firstHz);
  await second.sendTone(secondHz);
  for (const each of [first, second]) each.forget();
  await Promise.all([first.hears(secondHz, { forMs: 200 }), second.hears(firstHz, { forMs: 200 })]);
}

interface Talk {
  readonly visitor: Phone;
  readonly agent: Phone;
  readonly call: PhoneCall;
  readonly rung: PhoneCall;
  readonly id: string;
}

const TO_MENU = { to: 'ivr||main' };

async function talk(): Promise<Talk> {
  const agent = await agentPage('1001');
  const visitor = await page(await session(TO_MENU));
  const call = await (await visitor.call('call')).answered();
  await call.hears(hz.prompt);
  await call.pressKeys('1');
  const rung = await agent.incoming();
  await rung.answer();
  await hearEachOther([call, hz.caller], [rung, hz.agent]);
  const { json } = await bed.api('GET', '/v1/live_calls');
  return { visitor, agent, call, rung, id: json.data[0].id };
}

it('an agent who consults a colleague, and the visitor who waits, take their calls up, and the transfer is completed', async () => {
  const { visitor, agent, call, rung, id } = await talk();
  const colleague = await agentPage('1002');
  const transfer = { call_id: id, destination: extension('1002'), consult: true };
  expect((await bed.api('POST', '/v1/call/transfer', transfer)).status).toBe(200);
  const asked = await colleague.incoming();
  await asked.answer();
  await hearEachOther([rung, hz.agent], [asked, hz.third]);
  const [, rungAgain] = await reloaded(agent, rung, { agent: eidOf('1001') });
  await hearEachOther([rungAgain, hz.again], [asked, hz.third]);
  const [, callAgain] = await reloaded(visitor, call, TO_MENU);
  expect((await bed.api('POST', '/v1/call/transfer/complete', { call_id: id })).status).toBe(200);
  await hearEachOther([callAgain, hz.caller], [asked, hz.third]);
  await rungAgain.ended();
  await callAgain.hangUp();
  await asked.ended();
});

it('a participant of a conference room goes on in the same seat', async () => {
  const host = await agentPage('1001');
  const call = await (await host.call('200')).answered();
  const visitor = await page(await session({ to: '200' }));
  const guest = await (await visitor.call('200')).answered();
  await hearEachOther([call, hz.agent], [guest, hz.caller]);
  const [, callAgain] = await reloaded(host, call, { agent: eidOf('1001') });
  await hearEachOther([callAgain, hz.again], [guest, hz.caller]);
  const [, guestAgain] = await reloaded(visitor, guest, { to: '200' });
  await hearEachOther([callAgain, hz.again], [guestAgain, hz.third]);
  const { json } = await bed.api('GET', '/v1/live_calls');
  expect(json.data.map(({ state }: Json) => state)).toHaveLength(2);
  await guestAgain.hangUp();
  await callAgain.hangUp();
});

it('a supervisor who barged in goes on after a reload of every page, and is heard by both sides', async () => {
  const { visitor, agent, call, rung, id } = await talk();
  const supervisor = await agentPage('1003');
  const asked = await bed.api('POST', '/v1/call/listen', { id, agent: eidOf('1003'), mode: 'barge' });
  expect(asked.status, asked.text).toBe(200);
  const listening = await supervisor.incoming();
  await listening.answer();
  const [, listeningAgain] = await reloaded(supervisor, listening, { agent: eidOf('1003') });
  const [, rungAgain] = await reloaded(agent, rung, { agent: eidOf('1001') });
  const [, callAgain] = await reloaded(visitor, call, TO_MENU);
  for (const [from, tone] of [
    [listeningAgain, hz.third],
    [rungAgain, hz.agent],
    [callAgain, hz.caller],
  ] as const) {
    await from.sendTone(tone, 1_500);
    const others = [listeningAgain, rungAgain, callAgain].filter((each) => each !== from);
    await Promise.all(others.map((each) => each.hears(tone, { forMs: 200 })));
    await new Promise((resolve) => setTimeout(resolve, 1_600));
  }
  await callAgain.hangUp();
  await Promise.all([rungAgain.ended(), listeningAgain.ended()]);
});

/** What either says from now on reaches the other. */
async function talkWithBot(call: PhoneCall, at: BotCall, callerHz: number, botHz: number): Promise<void> {
  const before = at.messages.length;
  call.forget();
  await call.sendTone(callerHz);
  say(at, toneAudio(botHz, 1_000));
  await call.hears(botHz, { forMs: 200 });
  await received(
    at,
    'media',
    (message) => at.messages.indexOf(message) >= before && isTone(message.media.payload, callerHz),
  );
}

it('a visitor who talks with a voice bot goes on in the same conversation', async () => {
  const visitor = await page(await session({ to: '300' }));
  const call = await (await visitor.call('300')).answered();
  const at = await bot.call('/talk');
  await received(at, 'start');
  await talkWithBot(call, at, hz.caller, hz.agent);
  const [, callAgain] = await reloaded(visitor, call, { to: '300' });
  await talkWithBot(callAgain, at, hz.again, hz.third);
  // Keys of the new page reach the bot, too.
  await callAgain.pressKeys('7');
  await received(at, 'dtmf', ({ dtmf }) => dtmf.digit === '7');
  expect(bot.calls).toHaveLength(1);
  expect(at.closed).toBeNull();
  await callAgain.hangUp();
  await received(at, 'stop');
  const record = await bed.until('the record', async () => {
    const { json } = await bed.api('GET', '/v1/call/records?limit=1');
    const newest = json.data[0] && (await bed.api('GET', `/v1/call/records/${json.data[0].id}`)).json;
    return newest && codes(newest).includes('stream-connected') ? newest : null;
  });
  // One conversation: it neither failed nor began again.
  const talked = codes(record).filter((code) => code.startsWith('stream-'));
  expect(talked).toEqual(['stream-connecting', 'stream-connected']);
});
