// SIPp as a provider: what it plays before an answer, and what it refuses with. The caller is an agent's phone, ours or baresip, which
// dials outside and proves by tone what it hears.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import type { Json } from '../support/service.ts';
import { Baresip } from './support/baresip.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { writePackets } from './support/packets.ts';
import { freePort, has } from './support/program.ts';
import { Sipp, type SippResult } from './support/sipp.ts';

const TONES = toneCoded('network', 'baresip');
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
/** A trunk for each, so that they may be called at once. */
const PROVIDERS = ['announces', 'forks', 'pracks', 'busy', 'unknown', 'no-codec', 'to-baresip'] as const;
type Provider = (typeof PROVIDERS)[number];
const numberOf = (provider: Provider): string => `+49300${PROVIDERS.indexOf(provider)}`;

describe.runIf(has('sipp'))('a provider with SIPp', () => {
  let pbx: Pbx;
  let folder: string;
  let tone: string;
  const ports = new Map<Provider, number>();
  const phones: Phone[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-packets-'));
    tone = join(folder, 'tone.pcap');
    writePackets(tone, { keys: '', toneHz: TONES.network, toneMs: 4_000 });
    for (const each of PROVIDERS) ports.set(each, await freePort());
    pbx = await startPbx({
      agents: {
        ...Object.fromEntries(PROVIDERS.map((_, index) => [`100${index}`, {}])),
        '2001': { sip: sipDigests('2001', SECRET, hash) },
      },
      trunks: Object.fromEntries(
        PROVIDERS.map((each) => [
          each,
          {
            port: ports.get(each) ?? 0,
            outbound_prefixes: [{ prefix: numberOf(each), strip: 0, add: '' }],
            agents_may_call: true,
          },
        ]),
      ),
    });
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await nothingLeft(pbx);
    await pbx.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const went = (result: SippResult): void =>
    expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });

  function provider(name: Provider, scenario: string): Promise<Sipp> {
    const port = ports.get(name) ?? 0;
    return Sipp.start({ scenario, server: pbx.sip, port, keys: { tone } });
  }

  const intercomOf = (name: Provider): string => `100${PROVIDERS.indexOf(name)}`;

  async function dial(name: Provider): Promise<PhoneCall> {
    const user = intercomOf(name);
    const phone = await Phone.open({ server: pbx.sip, user, password: PASSWORD });
    phones.push(phone);
    expect(await phone.register()).toBe(200);
    return phone.call(numberOf(name));
  }

  const final = (call: PhoneCall, name: string): string =>
    call.finalResponse ? header(call.finalResponse, name) : '';

  describe.concurrent('while others call', () => {
    it('announces that a number does not exist: the agent hears it, and gets 404', async () => {
      const sipp = await provider('announces', 'provider-announces');
      const call = await dial('announces');
      await call.hears(TONES.network, { forMs: 300, withinMs: 30_000 });
      expect(call.status).toBe(null);
      expect(await call.finished({ withinMs: 30_000 })).toBe(404);
      expect(final(call, 'reason')).toBe('Q.850;cause=1');
      went(await sipp.ended);
      const record = await recordOf(pbx, intercomOf('announces'));
      expect(record.steps.map(({ code }: Json) => code)).not.toContain('answered');
    });

    it('forks: the agent hears the early dialog that came last, and talks with the one that answers', async () => {
      const sipp = await provider('forks', 'provider-forks');
      const call = await dial('forks');
      await call.hears(TONES.network, { forMs: 300, withinMs: 30_000 });
      await call.answered({ withinMs: 30_000 });
      await call.hangUp();
      went(await sipp.ended);
    });

    it('answers in a reliable 183: our PRACK comes, and the 200 without SDP is an answer', async () => {
      const sipp = await provider('pracks', 'provider-pracks');
      const call = await dial('pracks');
      await call.hears(TONES.network, { forMs: 300, withinMs: 30_000 });
      await call.answered({ withinMs: 30_000 });
      call.forget();
      await call.hears(TONES.network, { forMs: 300 });
      await call.hangUp();
      went(await sipp.ended);
    });

    it.each([
      ['busy', 'agent-busy', 486, 17, ''],
      ['unknown', 'provider-unknown', 404, 1, ''],
      ['no-codec', 'provider-no-codec', 488, 65, '305 dialtree "No PCMU"'],
    ] as const)('%s (%s): the agent gets %i', async (name, scenario, status, cause, warning) => {
      const sipp = await provider(name, scenario);
      const call = await dial(name);
      expect(await call.finished({ withinMs: 30_000 })).toBe(status);
      expect([final(call, 'reason'), final(call, 'warning')]).toEqual([`Q.850;cause=${cause}`, warning]);
      went(await sipp.ended);
    });

    it.runIf(has('baresip'))('announces to baresip, which hears it before the 404', async () => {
      const device = await Baresip.start({
        server: pbx.sip,
        user: '2001',
        password: SECRET,
        toneHz: TONES.baresip,
      });
      try {
        await device.registered();
        const sipp = await provider('to-baresip', 'provider-announces');
        device.tell('dial', `sip:${numberOf('to-baresip')}@${pbx.sip.host}:${pbx.sip.port}`);
        await device.happens('CALL_PROGRESS');
        await device.hears(TONES.network, { forMs: 300 });
        await device.happens('CALL_CLOSED');
        expect(device.events.some(({ type }) => type === 'CALL_ESTABLISHED')).toBe(false);
        went(await sipp.ended);
      } finally {
        await device.remove();
      }
    });
  });
});
