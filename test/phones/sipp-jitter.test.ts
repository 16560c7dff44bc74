// A caller whose packets leave unevenly (SIPp plays a recording of packets): what the phone of the agent gets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension, PASSWORD } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { recordOf } from './support/observe.ts';
import { type Office, openOffice } from './support/office.ts';
import { writePackets } from './support/packets.ts';
import { has } from './support/program.ts';

const TONE_HZ = 1_860;
const JITTER_MS = 60;

describe.runIf(has('sipp'))('jitter with SIPp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-packets-'));
  let office: Office<never>;
  let phone: Phone;
  beforeAll(async () => {
    office = await openOffice([], { agents: { '101': {} }, numbers: { '500': extension('101') } });
    phone = await Phone.open({ server: office.pbx.sip, user: '101', password: PASSWORD });
    expect(await phone.register()).toBe(200);
  });
  afterAll(async () => {
    phone.close();
    await office.pbx.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`${JITTER_MS} ms of it reach the agent in order, and the record has the delay`, async () => {
    const tone = join(folder, 'tone.pcap');
    writePackets(tone, { keys: '', toneHz: TONE_HZ, toneMs: 8_000, jitterMs: JITTER_MS });
    const caller = office.caller('presses-keys', 'uneven', {
      user: '500',
      keys: { keys: tone },
      seconds: 30,
    });
    const rung = await phone.incoming();
    await rung.answer();
    await rung.hears(TONE_HZ, { forMs: 300 });
    await expect.poll(() => rung.rtp.packets.length).toBeGreaterThan(100);
    const before = rung.rtp.packets.length;
    await expect.poll(() => rung.rtp.packets.length).toBeGreaterThan(before + 140);
    const heard = rung.rtp.packets.slice(before);
    await rung.hangUp();
    expect(await caller).toMatchObject({ code: 0, successful: 1 });
    const gaps = heard.slice(1).map(({ atMs }, index) => atMs - (heard[index]?.atMs ?? 0));
    const uneven = gaps.filter((gap) => gap < 8 || gap > 32).length / gaps.length;
    console.log(`${(100 * uneven).toFixed(1)} % of ${gaps.length} gaps are not 20 ms`);
    // How even it is, src/media/worker/buffered-relay.test.ts proves on a virtual clock.
    const [first] = heard;
    const places = heard.map(({ sequence }) => (sequence - (first?.sequence ?? 0)) & 0xffff);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const record = await recordOf(office.pbx, 'uneven');
    expect(record.legs[0].buffer_ms).toBeGreaterThan(0);
    // The agent's packets come from this process, which a busy machine holds up, too.
    expect(record.legs[1].buffer_ms).toBeLessThan(record.legs[0].buffer_ms);
  });
});
