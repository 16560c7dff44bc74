// An agent's phone whose cable is cut: no FIN, no answer, nothing (R9, R14). A call to it fails over, and it is forgotten.
import { afterEach, describe, expect, it } from 'vitest';
import { extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call as ask } from '../support/service.ts';
import { TONE_SERVICE } from './support/audio.ts';
import { metric } from './support/metrics.ts';
import { namespacesMissing } from './support/needs.ts';
import { tcpPort, wait } from './support/stranger.ts';
import { Village } from './support/village.ts';

const FAILOVER_HZ = 2_340;
/** A dead connection is noticed within two minutes, which are waited for in the long run alone (R14). */
const LONG = process.env['HALF_OPEN'] !== undefined;

describe.skipIf(namespacesMissing())('a cut cable', () => {
  let village: Village;
  let pbx: Pbx;
  afterEach(async () => {
    village?.remove();
    await pbx?.remove();
  });

  it.each(['udp', 'tcp'] as const)(
    'of an agent registered over %s: the caller gets to the failover',
    async (transport) => {
      village = new Village(2);
      const peer = village.guest(0);
      pbx = await startPbx({
        ...TONE_SERVICE,
        env: { SIP_HOST: village.here },
        settings: { ring_seconds: 5 },
        recordings: { ...TONE_SERVICE.recordings, failover: { hz: FAILOVER_HZ, ms: 60_000 } },
        agents: { '101': { failover_destination: 'ivr||failover' } },
        menus: { failover: { recording: 'recording||failover' } },
        numbers: { '500': extension('101') },
        trunks: { peer: { addresses: [peer] } },
      });
      const port = transport === 'udp' ? pbx.sip.port : tcpPort(pbx);
      const options = {
        server: { host: pbx.sip.host, port },
        transport,
        host: village.there(0),
        user: '101',
        password: PASSWORD,
      };
      void village.run(
        process.execPath,
        ['--import', 'tsx', 'test/hostile/support/registered-process.ts', JSON.stringify(options)],
        300_000,
      );
      const registrations = (): Promise<number> => metric(pbx, 'dialtree_registrations');
      await expect.poll(registrations).toBe(1);
      village.cut(village.there(0));
      const cutMs = performance.now();
      const phone = await Phone.open({ server: pbx.sip, host: peer });
      const call = await phone.call('500');
      await call.answered();
      await call.hears(FAILOVER_HZ);
      await call.hangUp();
      phone.close();
      if (!LONG || transport === 'udp') return;
      await wait(115_000 - (performance.now() - cutMs));
      const again = await Phone.open({ server: pbx.sip, host: peer });
      const second = await again.call('500');
      await second.hears(FAILOVER_HZ);
      await second.hangUp();
      // No phone is rung: five seconds of ringing would have been before it.
      const ends = async (): Promise<string[]> => {
        const { json } = await ask(pbx.url, 'GET', '/v1/call/records?limit=2');
        const [last, ...others] = json.data;
        if (others.length === 0) return [];
        const { json: record } = await ask(pbx.url, 'GET', `/v1/call/records/${last.id}`);
        return record.steps.map(({ code }: { code: string }) => code);
      };
      await expect.poll(ends).toContain('agent-unreachable');
      again.close();
    },
  );
});
