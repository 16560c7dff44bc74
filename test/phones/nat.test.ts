// Phones and a trunk behind NAT between two private networks: requests inside a call reach them, and sound follows them when their NAT
// gives them another port.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { Linphone } from './support/linphone.ts';
import { Nat } from './support/nat.ts';
import { gauge, nothingLeft } from './support/observe.ts';
import { has } from './support/program.ts';
import { Sipp } from './support/sipp.ts';

const TONES = toneCoded('brief', 'linphone', 'agent');
const SECRET = 'the-sip-password';
const TRUNK_PORT = 5_060;
const PBX_PORT = 5_070;
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

describe.skipIf(namespacesMissing() || !has('sipp') || !has('linphonec'))('behind NAT', () => {
  let nat: Nat;
  let pbx: Pbx;
  let agent: Phone;
  beforeAll(async () => {
    nat = new Nat();
    nat.forward(TRUNK_PORT);
    nat.forward(PBX_PORT, nat.pbx);
    pbx = await startPbx({
      env: { SIP_HOST: nat.here },
      recordings: { brief: { hz: TONES.brief, ms: 300 } },
      menus: {
        brief: {
          recording: 'recording||brief',
          timeout: 1,
          timeout_tries: 0,
          timeout_recording: 'recording||brief',
        },
      },
      agents: {
        '1001': {},
        '1002': {},
        '1010': { sip: sipDigests('1010', SECRET, hash) },
        '1020': { follow_me_number: '+49301' },
        '1021': { follow_me_number: '+49401' },
      },
      trunks: {
        inside: {
          host: nat.router,
          port: TRUNK_PORT,
          addresses: [],
          outbound_prefixes: [{ prefix: '+4930', strip: 0, add: '' }],
        },
        pbx: {
          host: nat.router,
          port: PBX_PORT,
          addresses: [],
          outbound_prefixes: [{ prefix: '+4940', strip: 0, add: '' }],
        },
      },
      numbers: { '100': 'ivr||brief', '200': extension('1002'), '300': extension('1020') },
    });
    agent = await Phone.open({ server: pbx.sip, host: nat.here, user: '1002', password: PASSWORD });
    expect(await agent.register()).toBe(200);
  }, 60_000);
  afterAll(async () => {
    agent?.close();
    await pbx?.remove();
    nat?.remove();
  });

  it('a phone whose Via is outside and whose Contact is inside gets our BYE', async () => {
    const sipp = await Sipp.start({
      scenario: 'behind-nat',
      server: pbx.sip,
      user: '100',
      host: nat.phone,
      inside: nat.inside,
      keys: { caller: '1001', outer: `${nat.router}:5060` },
      more: ['-au', '1001', '-ap', PASSWORD, '-auth_uri', `100@${pbx.sip.host}:${pbx.sip.port}`],
      seconds: 30,
    });
    const result = await sipp.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
    await nothingLeft(pbx);
  });

  it.each([
    ['another private network', '1020', TRUNK_PORT],
    ['the same private network', '1021', PBX_PORT],
  ])('a trunk that answers with its inner Contact, of %s, gets our ACK and BYE', async (_, number, port) => {
    const sipp = await Sipp.start({
      scenario: 'agent-answers',
      server: pbx.sip,
      host: port === PBX_PORT ? nat.pbx : nat.phone,
      inside: nat.inside,
      port,
      more: ['-rtp_echo'],
      seconds: 30,
    });
    const call = await agent.call(number);
    await call.answered();
    // Only an ACK lets it wait for the BYE.
    await expect.poll(() => sipp.messages().some(({ first }) => first.startsWith('ACK '))).toBe(true);
    await call.hangUp();
    const result = await sipp.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
    await nothingLeft(pbx);
  });

  it('Linphone is heard again after a rebinding, hears, and is hung up on', async () => {
    const linphone = await Linphone.start(TONES.linphone, nat.inside);
    linphone.talkFromFile();
    const address = `${pbx.sip.host}:${pbx.sip.port}`;
    const register = `register sip:1010@${address} sip:${address} ${SECRET}`;
    try {
      const before = await gauge(pbx, 'registrations');
      linphone.type(register);
      await expect.poll(() => gauge(pbx, 'registrations')).toBe(before + 1);
      const ringing = agent.incoming();
      linphone.type('call 1002');
      const talking = await (await ringing).answer();
      void talking.sendTone(TONES.agent);
      await talking.hears(TONES.linphone, { forMs: 1_500 });
      const movedMs = talking.nowMs();
      nat.rebind();
      const again = (): number | null => {
        const last = talking.heard().at(-1);
        const isTone = typeof last?.hz === 'number' && Math.abs(last.hz - TONES.linphone) < 15;
        return isTone && last && last.fromMs > movedMs && last.toMs - last.fromMs > 200
          ? last.fromMs - movedMs
          : null;
      };
      await expect.poll(again).not.toBeNull();
      console.log(`Linphone is heard again ${Math.round(again() ?? 0)} ms after the rebinding`);
      const heard = nat.packetsIn;
      await expect.poll(() => nat.packetsIn - heard).toBeGreaterThan(20);
      // It registers from its new port: our BYE goes there.
      linphone.type('unregister');
      await expect.poll(() => gauge(pbx, 'registrations')).toBe(before);
      linphone.type(register);
      await expect.poll(() => gauge(pbx, 'registrations')).toBe(before + 1);
      await talking.hangUp();
      await linphone.says(/Call \d+ with .* ended/);
      await nothingLeft(pbx);
    } finally {
      await linphone.remove();
    }
  }, 60_000);
});
