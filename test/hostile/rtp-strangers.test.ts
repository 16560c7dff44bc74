// RTP sprayed at open ports (T7), and malformed RTP and RTCP (T12): it is not heard, takes no audio away, and ends no call.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { describeSegments, type Segment } from '../support/phone/hearing.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import { dice } from './support/dice.ts';
import { mutateMedia } from './support/media-mutations.ts';
import { RawCaller } from './support/raw-caller.ts';
import { ATTACKER_HZ, Sprayer } from './support/spray.ts';
import { Stranger, wait } from './support/stranger.ts';

const CALLER_HZ = 1_860;
const AGENT_HZ = 2_100;
const PACKETS = 200;
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 20_000);
const SEED = Number(process.env['MUTATION_SEED'] ?? Date.now() % 2 ** 31);

describe('strangers at the media ports', () => {
  let pbx: Pbx;
  let agent: Phone;
  let caller: Phone;
  /** One on another machine, one on the caller's own. */
  let sprayers: Sprayer[];

  beforeAll(async () => {
    pbx = await startPbx({
      ...TONE_SERVICE,
      agents: { '101': {} },
      numbers: { ...TONE_SERVICE.numbers, '500': extension('101') },
    });
    agent = await Phone.open({ server: pbx.sip, user: '101', password: PASSWORD });
    caller = await Phone.open({ server: pbx.sip });
    expect(await agent.register()).toBe(200);
    sprayers = [await Sprayer.open('127.0.0.2'), await Sprayer.open('127.0.0.1')];
  });
  afterAll(async () => {
    agent?.close();
    caller?.close();
    for (const sprayer of sprayers ?? []) sprayer.close();
    await pbx?.remove();
  });

  const spray = (calls: readonly PhoneCall[], packets = PACKETS): Promise<unknown> => {
    const ports = calls.map(({ remote }) => remote?.port ?? 0).filter((port) => port > 0);
    expect(ports).toHaveLength(calls.length);
    return Promise.all(sprayers.map((sprayer) => sprayer.spray(pbx.sip.host, ports, packets)));
  };
  const robbed = (): number => sprayers.reduce((sum, { received }) => sum + received, 0);

  /** Everything but silence and that tone, from then on. */
  const wrong = (call: PhoneCall, hz: number, fromMs: number): string => {
    const isWrong = (segment: Segment): boolean =>
      typeof segment.hz === 'number'
        ? Math.abs(segment.hz - hz) > 15
        : segment.hz === 'dual' || segment.hz === 'noise';
    const found = call.heard().filter((segment) => segment.fromMs > fromMs && isWrong(segment));
    return found.length === 0 ? '' : describeSegments(found);
  };

  /** A caller and an agent who hear each other's tone, with strangers at their ports all the while. */
  it('before, during and after the media are set up: none is heard, none is sent anything', async () => {
    const call = await caller.call('500');
    const rung = await agent.incoming();
    // Before the agent answered, its port can be guessed.
    const early = spray([rung], 40);
    rung.ring();
    await wait(300);
    await rung.answer();
    await call.answered();
    void call.sendTone(CALLER_HZ);
    void rung.sendTone(AGENT_HZ);
    await early;
    await call.hears(AGENT_HZ, { forMs: 500 });
    await rung.hears(CALLER_HZ, { forMs: 500 });
    const fromMs = [call.nowMs(), rung.nowMs()] as const;
    await spray([call, rung]);
    expect(await call.reinvite()).toBe(200);
    await spray([call, rung]);
    expect(robbed()).toBe(0);
    expect(wrong(call, AGENT_HZ, fromMs[0])).toBe('');
    expect(wrong(rung, CALLER_HZ, fromMs[1])).toBe('');
    for (const each of [call, rung]) {
      const heard = each
        .heard()
        .filter(({ hz }) => typeof hz === 'number' && Math.abs(hz - ATTACKER_HZ) < 60);
      expect(describeSegments(heard)).toBe('nothing at all');
      each.forget();
    }
    await call.hears(AGENT_HZ, { forMs: 300 });
    await rung.hears(CALLER_HZ, { forMs: 300 });
    expect(call.end).toBeNull();
    await call.hangUp();
    await rung.ended();
  });

  it('a peer that sends nothing is not robbed either: at most 5 packets go astray', async () => {
    const mute = await Stranger.open();
    const raw = await RawCaller.open(pbx.sip);
    const response = await raw.invite(TONE_NUMBER, mute);
    expect(response.status).toBe(200);
    await raw.ack();
    const port = Number(/m=audio (\d+)/.exec(response.body)?.[1]);
    const [elsewhere] = sprayers;
    const before = elsewhere?.received ?? 0;
    await elsewhere?.spray(pbx.sip.host, [port], PACKETS);
    expect((elsewhere?.received ?? 0) - before).toBeLessThanOrEqual(5);
    // What it may hear comes to it alone.
    await expect.poll(() => mute.received.length).toBeGreaterThan(PACKETS / 2);
    await raw.bye();
    raw.close();
    mute.close();
  });

  it(`${MUTATIONS} broken packets at the ports of a call: it stays, and sounds as before`, async () => {
    const call = await caller.call('500');
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    void call.sendTone(CALLER_HZ);
    void rung.sendTone(AGENT_HZ);
    await call.hears(AGENT_HZ, { forMs: 300 });
    await rung.hears(CALLER_HZ, { forMs: 300 });
    const fromMs = [call.nowMs(), rung.nowMs()] as const;
    const roll = dice(SEED);
    const before = sprayers[0]?.received;
    const ports = [call, rung].flatMap(({ remote }) => [remote?.port ?? 0, (remote?.port ?? 0) + 1]);
    for (let sent = 0; sent < MUTATIONS; sent += 1) {
      const { stranger } = sprayers[roll(sprayers.length)] ?? {};
      void stranger?.send(mutateMedia(roll), {
        host: pbx.sip.host,
        port: ports[roll(ports.length)] ?? 0,
      });
      if (sent % 20 === 0) await wait(2);
    }
    expect(wrong(call, AGENT_HZ, fromMs[0]), `MUTATION_SEED=${SEED}`).toBe('');
    expect(wrong(rung, CALLER_HZ, fromMs[1]), `MUTATION_SEED=${SEED}`).toBe('');
    call.forget();
    rung.forget();
    await call.hears(AGENT_HZ, { forMs: 300 });
    await rung.hears(CALLER_HZ, { forMs: 300 });
    expect([call.end, rung.end]).toEqual([null, null]);
    // Reports are answered to the peer's machine, be it by another port of it (RFC 4961): those of the sprayer there do not count.
    expect(sprayers[0]?.received, `MUTATION_SEED=${SEED}`).toBe(before);
    expect(pbx.log.filter((line) => line.includes('"level":50'))).toEqual([]);
    await call.hangUp();
    await rung.ended();
  });
});
