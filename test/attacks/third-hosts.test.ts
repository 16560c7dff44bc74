// A caller from a trunk's address names another host in its SDP, or ports of this service: media is no weapon.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { extension } from '../support/pbx.ts';

const { hz, recordings } = tones(400, 'prompt');
const TRUNK = '127.0.0.31';
const MOST = 250;
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings: { ...recordings, prompt: { hz: hz.prompt, ms: 60_000 } },
    menus: { main: { timeout: 60 } },
    agents: { '1001': {} },
    numbers: { '100': 'ivr||main', '71001': extension('1001') },
    trunks: { provider: { addresses: [TRUNK] } },
    env: { RTP_TIMEOUT_SECONDS: '15' },
  });
});
afterAll(() => bed.close());

class Victim {
  packets = 0;
  #from = { address: '', port: 0 };
  readonly #socket: Socket;

  static async open(host: string): Promise<Victim> {
    const socket = createSocket('udp4').bind(0, host);
    await once(socket, 'listening');
    return new Victim(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (_bytes, from) => {
      this.packets++;
      this.#from = from;
    });
  }

  get sdp(): { address: string; port: number } {
    return this.#socket.address();
  }

  /** 20 ms of silence. */
  answer(): void {
    const packet = Buffer.alloc(172, 0xff);
    packet.writeUInt32BE(0x8000_0001, 0);
    packet.writeUInt32BE(160, 4);
    packet.writeUInt32BE(7, 8);
    this.#socket.send(packet, this.#from.port, this.#from.address);
  }

  close(): void {
    this.#socket.close();
  }
}

it(`T45: a third host gets at most ${MOST} packets until it answers, and again after a re-INVITE`, async () => {
  const [first, second] = [await Victim.open('127.0.0.32'), await Victim.open('127.0.0.33')];
  const call = await bed.reach('100', { sdp: first.sdp, phone: { host: TRUNK } });
  // The caller itself sends nothing: only the host in its SDP could.
  call.rtp.lossPercent = 100;
  await sleep(7_000);
  const unanswered = first.packets;
  first.answer();
  await sleep(1_000);
  await expect.poll(() => first.packets - unanswered).toBeGreaterThan(30);
  const answered = first.packets - unanswered;
  expect(await call.reinvite({ address: second.sdp.address, port: second.sdp.port })).toBe(200);
  await sleep(6_500);
  figure(
    'T45',
    `packets to a third host: ${unanswered} in 7 s, ${answered} in the second after it answered, ${second.packets} to the next one`,
  );
  expect(unanswered).toBeLessThanOrEqual(MOST);
  expect(unanswered).toBeGreaterThan(MOST - 50);
  expect(second.packets).toBeLessThanOrEqual(MOST);
  await call.hangUp();
  first.close();
  second.close();
});

it('T45: before the ACK of a trunk’s caller early media goes to the trunk’s own address, and to no third host', async () => {
  const victim = await Victim.open('127.0.0.34');
  const agent = await bed.agent('1001');
  const forged = await bed.dial('71001', { sdp: victim.sdp, phone: { host: TRUNK } });
  const first = await agent.incoming();
  first.ring(183);
  await first.sendTone(hz.prompt);
  await forged.progressed(183);
  await sleep(1_500);
  figure('T45', `packets of early media to a third host before an ACK: ${victim.packets} in 1.5 s`);
  expect(victim.packets).toBe(0);
  await forged.hangUp();
  await first.ended();
  const honest = await bed.dial('71001', { phone: { host: TRUNK } });
  const second = await bed.until('a second call', async () => agent.calls[1] ?? null);
  second.ring(183);
  await second.sendTone(hz.prompt);
  await honest.hears(hz.prompt, { forMs: 200 });
  await honest.hangUp();
  victim.close();
});

it('T45: ports of this service are refused as media targets, in INVITEs, re-INVITEs and answers', async () => {
  const call = await bed.reach('100', { phone: { host: TRUNK } });
  const own = call.remote;
  if (own === null) throw new Error('no media');
  const targets = {
    SIP: bed.pbx.sip.port,
    RTP: own.port,
    RTCP: own.port + 1,
    HTTP: Number(new URL(bed.pbx.url).port),
  };
  const statuses: Record<string, number> = {};
  for (const [name, port] of Object.entries(targets)) {
    for (const address of ['127.0.0.1', '127.0.0.40']) {
      const refused = await bed.dial('100', { sdp: { address, port }, phone: { host: TRUNK } });
      statuses[`${name} ${address}`] = await refused.finished();
    }
    expect(await call.reinvite({ address: '127.0.0.1', port }), `re-INVITE to ${name}`).toBe(488);
  }
  expect(new Set(Object.values(statuses)), JSON.stringify(statuses)).toEqual(new Set([488]));
  await call.hears(hz.prompt, { forMs: 200 });
  await call.hangUp();
  const agent = await bed.agent('1001');
  const caller = await bed.dial('71001');
  const incoming = await agent.incoming();
  await incoming.answer({ address: '127.0.0.1', port: bed.pbx.sip.port }).catch(() => undefined);
  expect(await incoming.ended()).toMatchObject({ by: 'peer' });
  await caller.hangUp();
});
