// Calls that go wrong by themselves: a phone that vanishes (R9), audio one way (R10), a bad road (R13), more calls than there is
// room for (R7, R8).
import { afterEach, describe, expect, it } from 'vitest';
import { extension, PASSWORD, type Pbx, type PbxOptions, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneOptions } from '../support/phone/phone-options.ts';
import { header } from '../support/phone/sip-text.ts';
import { call as ask } from '../support/service.ts';
import { TONE_HZ, TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import { BadRoad } from './support/bad-road.ts';
import { metric } from './support/metrics.ts';
import { wait } from './support/stranger.ts';

const FAILOVER_HZ = 2_340;
const MENU_OF_KEYS = { option: ['1', '2', '3', '4'], destination: Array(4).fill('ivr||tone') };

describe('bad calls', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function pbxWith(options: PbxOptions): Promise<Pbx> {
    const pbx = await startPbx({ ...TONE_SERVICE, ...options });
    closing.push(() => pbx.remove());
    return pbx;
  }

  async function phoneAt(pbx: Pbx, options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const phone = await Phone.open({ server: pbx.sip, ...options });
    closing.push(() => phone.close());
    return phone;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a record is looked into by assertions
  async function lastRecord({ url }: Pbx): Promise<any> {
    for (let tries = 0; tries < 300; tries += 1) {
      const { json } = await ask(url, 'GET', '/v1/call/records?limit=1');
      const id = json.data[0]?.id;
      if (id !== undefined) return (await ask(url, 'GET', `/v1/call/records/${id}`)).json;
      await wait(100);
    }
    throw new Error('No record was written.');
  }

  const AGENT: PbxOptions = {
    recordings: { ...TONE_SERVICE.recordings, failover: { hz: FAILOVER_HZ, ms: 60_000 } },
    agents: { '101': { failover_destination: 'ivr||failover' } },
    menus: { tone: {}, failover: { recording: 'recording||failover' } },
    numbers: { ...TONE_SERVICE.numbers, '500': extension('101') },
  };

  it('an agent whose phone is gone while it should ring: the caller gets to the failover (R9)', async () => {
    const pbx = await pbxWith({ ...AGENT, settings: { ring_seconds: 5 } });
    const agent = await phoneAt(pbx, { user: '101', password: PASSWORD });
    expect(await agent.register()).toBe(200);
    agent.faults.ignore = ['INVITE', 'CANCEL', 'OPTIONS'];
    const caller = await phoneAt(pbx);
    const call = await caller.call('500');
    await call.answered({ withinMs: 40_000 });
    await call.hears(FAILOVER_HZ, { withinMs: 40_000 });
    await call.hangUp();
  });

  it('an agent whose phone is gone in the call: noticed by its silence, the caller let go, the agent free again (R9)', async () => {
    const pbx = await pbxWith({ ...AGENT, env: { RTP_TIMEOUT_SECONDS: '5' } });
    const agent = await phoneAt(pbx, { user: '101', password: PASSWORD });
    expect(await agent.register()).toBe(200);
    const caller = await phoneAt(pbx);
    const call = await caller.call('500');
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    void rung.sendTone(1_860);
    await call.hears(1_860, { forMs: 300 });
    rung.abandon();
    agent.faults.ignore = ['BYE', 'OPTIONS'];
    const end = await Promise.race([
      call.ended().then(() => 'released'),
      call.hears(FAILOVER_HZ).then(() => 'failover'),
    ]);
    expect(['released', 'failover']).toContain(end);
    await call.hangUp();
    agent.faults.ignore = [];
    const again = await caller.call('500');
    const rungAgain = await agent.incoming();
    await rungAgain.answer();
    await again.answered();
    await again.hangUp();
    expect(await metric(pbx, 'dialtree_legs')).toBeLessThanOrEqual(2);
  });

  it('audio that comes from one side alone is in the record (R10)', async () => {
    const pbx = await pbxWith({});
    const caller = await phoneAt(pbx);
    const call = await caller.call(TONE_NUMBER);
    await call.answered();
    await call.hears(TONE_HZ);
    call.rtp.configure(call.remote, false);
    await wait(11_000);
    await call.hangUp();
    const { legs } = await lastRecord(pbx);
    expect(legs[0].one_way).toBe(true);
  });

  it('a phone that signals a private address is heard and hears, by symmetric RTP (R10)', async () => {
    const pbx = await pbxWith({ menus: { tone: MENU_OF_KEYS } });
    const caller = await phoneAt(pbx, { sdp: { address: '192.168.77.77', port: 4_000 } });
    const call = await caller.call(TONE_NUMBER);
    await call.answered();
    await call.hears(TONE_HZ, { forMs: 300 });
    await call.pressKeys('12');
    await wait(500);
    await call.hangUp();
    const { legs, events } = await lastRecord(pbx);
    expect(legs[0].one_way).toBe(false);
    expect(keysOf(events)).toBe('12');
  });

  it('40 ms of jitter, 2 % out of order, 2 % doubled: every key arrives once and in order (R13)', async () => {
    const pbx = await pbxWith({ menus: { tone: MENU_OF_KEYS } });
    const wrong: string[] = [];
    const one = async (): Promise<void> => {
      const road = await BadRoad.open('127.0.0.1', { jitterMs: 40, reorder: 2, double: 2 });
      closing.push(() => road.close());
      const caller = await phoneAt(pbx);
      const call = await caller.call(TONE_NUMBER, { sdp: { port: road.port } });
      await call.answered();
      const { remote } = call;
      if (remote === null) throw new Error('no description');
      road.between({ host: '127.0.0.1', port: call.rtp.port }, { host: remote.address, port: remote.port });
      call.rtp.configure({ ...remote, address: '127.0.0.1', port: road.port }, true);
      await call.hears(TONE_HZ, { forMs: 100 });
      const keys = Array.from({ length: 20 }, () => '1234'.charAt(Math.floor(Math.random() * 4))).join('');
      await call.pressKeys(keys, { durationMs: 80, gapMs: 80 });
      await wait(200);
      await call.hangUp();
      pressed.set(call.dialog.callId, keys);
    };
    const pressed = new Map<string, string>();
    await Promise.all(Array.from({ length: 20 }, one));
    const rows = async () => (await ask(pbx.url, 'GET', '/v1/call/records?limit=100')).json.data;
    await expect.poll(rows).toHaveLength(20);
    for (const { id } of await rows()) {
      const { json: record } = await ask(pbx.url, 'GET', `/v1/call/records/${id}`);
      const keys = pressed.get(record.sip_call_id);
      if (keys !== keysOf(record.events)) wrong.push(`${keys} came as ${keysOf(record.events)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('60 ms of jitter: the agent gets all of it in order, and the record has the delay (R13)', async () => {
    const pbx = await pbxWith(AGENT);
    const agent = await phoneAt(pbx, { user: '101', password: PASSWORD });
    expect(await agent.register()).toBe(200);
    const road = await BadRoad.open('127.0.0.1', { jitterMs: 60, reorder: 0, double: 0 });
    closing.push(() => road.close());
    const caller = await phoneAt(pbx);
    const call = await caller.call('500', { sdp: { port: road.port } });
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    const { remote } = call;
    if (remote === null) throw new Error('no description');
    road.between({ host: '127.0.0.1', port: call.rtp.port }, { host: remote.address, port: remote.port });
    call.rtp.configure({ ...remote, address: '127.0.0.1', port: road.port }, true);
    await call.sendTone(1_860);
    await rung.hears(1_860, { forMs: 300 });
    // Buffering begins when the jitter was high at two looks; relayed as they come, no 200 packets in a row would be in order.
    const latest = (): typeof rung.rtp.packets => rung.rtp.packets.slice(-200);
    const steps = (): number[] => {
      const heard = latest();
      return heard.slice(1).map(({ sequence }, index) => (sequence - (heard[index]?.sequence ?? 0)) & 0xffff);
    };
    await expect.poll(steps, { timeout: 60_000 }).toEqual(Array(199).fill(1));
    const heard = latest();
    await call.hangUp();
    const gaps = heard.slice(1).map(({ atMs }, index) => atMs - (heard[index]?.atMs ?? 0));
    const uneven = gaps.filter((gap) => gap < 8 || gap > 32).length / gaps.length;
    console.log(`${(100 * uneven).toFixed(1)} % of ${gaps.length} gaps are not 20 ms`);
    // How even it is, src/media/worker/buffered-relay.test.ts proves on a virtual clock.
    const { legs } = await lastRecord(pbx);
    expect(legs[0].jitter_ms).toBeGreaterThan(5);
    expect(legs[0].buffer_ms).toBeGreaterThan(0);
    expect(legs[0].packets_late).toBeGreaterThanOrEqual(0);
    // The agent sends evenly, as far as this machine lets it.
    expect(legs[1].buffer_ms).toBeLessThan(legs[0].buffer_ms);
  });

  it('twice as many calls as there is room for: half of them 503 with Retry-After, the others complete (R7)', async () => {
    const pbx = await pbxWith({ env: { MAX_CALLS: '20' } });
    const caller = await phoneAt(pbx);
    for (let round = 0; round < 2; round += 1) {
      const calls = await Promise.all(Array.from({ length: 40 }, () => caller.call(TONE_NUMBER)));
      const codes = await Promise.all(calls.map((call) => call.finished()));
      const refused = calls.filter((_, index) => codes[index] === 503);
      expect(codes.filter((code) => code === 200)).toHaveLength(20);
      expect(refused).toHaveLength(20);
      for (const { finalResponse } of refused) {
        expect(finalResponse === null ? '' : header(finalResponse, 'retry-after')).toMatch(/^\d+$/);
      }
      const accepted = calls.filter((_, index) => codes[index] === 200);
      await Promise.all(accepted.map((call) => call.hears(TONE_HZ, { forMs: 200 })));
      await Promise.all(accepted.map((call) => call.hangUp()));
    }
  });

  it('R8: with ports for ten calls the others get 503, and no port is lost', async () => {
    const pbx = await pbxWith({ env: { RTP_PORTS: '31000-31019' } });
    const caller = await phoneAt(pbx);
    for (let round = 0; round < 3; round += 1) {
      // Ports are made ready after the start, and again some 20 ms after each call.
      await expect.poll(() => metric(pbx, 'dialtree_media_streams_ready')).toBeGreaterThanOrEqual(10);
      const calls = await Promise.all(Array.from({ length: 15 }, () => caller.call(TONE_NUMBER)));
      const codes = await Promise.all(calls.map((call) => call.finished()));
      expect(codes.filter((code) => code === 200)).toHaveLength(10);
      expect(codes.filter((code) => code === 503)).toHaveLength(5);
      await Promise.all(calls.filter((_, index) => codes[index] === 200).map((call) => call.hangUp()));
    }
  });
});

const keysOf = (events: readonly { readonly key?: string }[]): string =>
  events.map(({ key }) => key ?? '').join('');
