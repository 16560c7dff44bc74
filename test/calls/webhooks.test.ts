// Webhooks of real calls: which events, in which order, to whom, and that a dead receiver harms no call
// (docs/threat-model.md R22).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { eidOf, extension } from '../support/pbx.ts';
import {
  type Delivered,
  isSigned,
  REACHABLE,
  type Receiver,
  startReceiver,
  types,
} from '../support/receiver.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'prompt', 'two');
const BEEP_HZ = 1_000;
/** Away from the notice. */
const SPOKEN_HZ = 1_780;
let bed: PhoneBed;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  bed = await PhoneBed.open({
    env: REACHABLE,
    recordings: { ...recordings, prompt: { hz: hz.prompt, ms: 1_500 } },
    settings: { ring_seconds: 5 },
    agents: { '1001': {}, '1002': {}, '1003': { record_calls: true } },
    menus: {
      main: { option: ['1', '2'], destination: [extension('1001'), 'ivr||two'], timeout: 30 },
      two: { recording: 'recording||two', timeout: 30 },
    },
    numbers: { '100': 'ivr||main', '101': extension('1002'), '102': extension('1003') },
  });
});
afterAll(async () => {
  await bed.close();
  await receiver.close();
});

async function hook(more: object): Promise<Json> {
  const made = await bed.api('POST', '/v1/webhook', { name: 'x', url: `${receiver.url}/all`, ...more });
  expect(made.status, made.text).toBe(201);
  return made.json;
}
const of =
  (caller: string, path = '/all') =>
  (one: Delivered): boolean =>
    one.path === path && one.event.data.call?.caller === caller;
const call = (phone: string) => ({ phone: { user: phone } });

describe('webhooks of a call', () => {
  it('receive every step in order, each signed and with an id of its own', async () => {
    const { secret } = await hook({});
    const agent = await bed.agent('1001');
    const caller = await bed.reach('100', call('7001'));
    await caller.hears(hz.prompt, { forMs: 40 });
    await caller.pressKeys('1');
    await (await agent.incoming()).answer();
    await caller.hangUp();
    const delivered = await receiver.until(7, of('7001'));
    expect(types(delivered)).toBe(
      'call.received call.menu_entered call.key call.option call.ringing call.answered call.ended',
    );
    expect(delivered.every((one) => isSigned(one, secret))).toBe(true);
    expect(new Set(delivered.map(({ event }) => event.id)).size).toBe(7);
    const [received, , key, option, , , ended] = delivered.map(({ event }) => event);
    expect(received.data.call).toMatchObject({ direction: 'inbound', caller: '7001', dialled: '100' });
    expect(key.data.keys).toBe('1');
    expect(option.data).toMatchObject({ node: 'ivr||main', keys: '1', destination: extension('1001') });
    expect(ended.data).toMatchObject({ answered_by: eidOf('1001'), end: { code: 'caller-hung-up' } });
    const record = await bed.record('7001');
    const { outcome, wait_ms, ring_ms, talk_ms, transferred_to } = record;
    expect(ended.data).toMatchObject({ outcome, wait_ms, ring_ms, talk_ms, transferred_to });
    expect(outcome).toBe('answered');
    expect(ended.data.call.id).toBe(record.id);
  });

  it('receive call.missed before call.ended', async () => {
    const agent = await bed.agent('1002');
    const caller = await bed.dial('101', call('7002'));
    const incoming = await agent.incoming();
    incoming.ring();
    await caller.progressed(180);
    incoming.reject(486, 'Busy Here');
    await caller.answered().catch(() => undefined);
    const delivered = await receiver.until(
      1,
      (one) => of('7002')(one) && one.event.type === 'call.ended',
      20_000,
    );
    expect(delivered).toHaveLength(1);
    const all = receiver.deliveries.filter(of('7002'));
    expect(types(all)).toMatch(/^call\.received call\.ringing call\.missed call\.ended$/);
  });

  it('receive a message before the end of its call', async () => {
    const { json } = await bed.api('POST', '/v1/voicemail_box', {
      name: 'Front desk',
      greeting: 'recording||two',
      email: 'desk@example.com',
    });
    await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${json.id}` });
    const caller = await bed.reach('200', call('7004'));
    await caller.hears(BEEP_HZ, { forMs: 60 });
    await caller.hearsSilence(300);
    await caller.sendTone(SPOKEN_HZ, 1_500);
    await caller.hangUp();
    const delivered = await receiver.until(3, of('7004'));
    expect(types(delivered)).toBe('call.received voicemail.received call.ended');
    const { voicemail } = delivered[1]?.event.data ?? {};
    expect(voicemail).toMatchObject({ box: json.id, box_name: 'Front desk', email: 'desk@example.com' });
    expect((await bed.api('GET', `/v1/voicemail/${voicemail.id}`)).json.audio).toBe(voicemail.audio);
  });

  it('receive a recording before the end of its call', async () => {
    const agent = await bed.agent('1003');
    const caller = await bed.dial('102', call('7005'));
    const incoming = await agent.incoming();
    await incoming.answer();
    await caller.answered();
    await caller.sendTone(SPOKEN_HZ, 1_000);
    await incoming.hears(SPOKEN_HZ, { forMs: 60 });
    await caller.hangUp();
    const delivered = await receiver.until(5, of('7005'));
    expect(types(delivered)).toBe('call.received call.ringing call.answered call.recorded call.ended');
    const { recording } = delivered[3]?.event.data ?? {};
    expect(recording).toMatchObject({ agent: eidOf('1003') });
    expect((await bed.api('GET', `/v1/call/recording/${recording.id}`)).json.audio).toBe(recording.audio);
  });

  it('that an option names receive that option only, and paused ones nothing', async () => {
    const named = await hook({ events: [], url: `${receiver.url}/option` });
    await hook({ status: 'paused', url: `${receiver.url}/paused` });
    await hook({ events: ['call.ended'], url: `${receiver.url}/ended` });
    const changed = menu({
      recording: 'recording||prompt',
      option: ['1', '2'],
      destination: [extension('1001'), 'ivr||two'],
      timeout: 30,
      webhook: [null, named.id],
    });
    expect((await bed.api('PUT', '/v1/ivr/main', changed)).status).toBe(200);
    const caller = await bed.reach('100', call('7003'));
    await caller.hears(hz.prompt, { forMs: 40 });
    await caller.pressKeys('2');
    await caller.hears(hz.two, { forMs: 40 });
    await caller.hangUp();
    await receiver.until(1, of('7003', '/ended'));
    const [option] = await receiver.until(1, of('7003', '/option'));
    expect(option?.event.data).toMatchObject({ keys: '2', destination: 'ivr||two', webhook: named.id });
    expect(types(receiver.deliveries.filter(of('7003', '/option')))).toBe('call.option');
    expect(types(receiver.deliveries.filter(of('7003', '/ended')))).toBe('call.ended');
    expect(receiver.deliveries.filter(of('7003', '/paused'))).toEqual([]);
  });

  it('whose receiver hangs, fails or is gone hold up neither calls nor other receivers', async () => {
    for (const path of ['/hangs', '/fails']) await hook({ url: `${receiver.url}${path}` });
    await hook({ url: 'http://127.0.0.1:1/gone' });
    receiver.answer = ({ path }) => (path === '/hangs' ? null : path === '/fails' ? 500 : 204);
    const callers = Array.from({ length: 12 }, (_, index) => `71${String(index).padStart(2, '0')}`);
    await Promise.all(
      callers.map(async (number) => {
        const caller = await bed.reach('100', call(number));
        await caller.hears(hz.prompt, { forMs: 40 });
        await caller.hangUp();
      }),
    );
    // A receiver that hangs is waited for 10 s each time: these come before.
    for (const number of callers)
      await receiver.until(1, (one) => of(number)(one) && one.event.type === 'call.ended');
    expect(receiver.deliveries.filter(({ path }) => path === '/hangs').length).toBeLessThan(24);
    receiver.answer = () => 204;
    const metrics = (await bed.api('GET', '/metrics')).text;
    expect(metrics).toMatch(/^dialtree_outbox_tries_total\{lane="webhook",outcome="retry"\} [1-9]/m);
    expect(metrics).toMatch(/^dialtree_outbox_jobs\{lane="webhook",state="waiting"\} [1-9]/m);
  });
});
