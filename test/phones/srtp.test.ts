// SRTP with peers that we did not write, over TLS: baresip (libsrtp) as a phone, in both of its ways to offer it, and Asterisk 22 (libsrtp)
// with media_encryption=sdes as an office whose extension registers here.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { extension, PASSWORD, type Pbx, type PbxOptions, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import type { Json } from '../support/service.ts';
import { tlsFiles, tlsPlace } from '../support/tls-files.ts';
import { Asterisk, hasAsterisk } from './support/asterisk.ts';
import { Baresip } from './support/baresip.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';
import { freePort, has } from './support/program.ts';

const TONES = toneCoded('prompt', 'baresip', 'phone', 'music');
const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
/** Addresses of loopback: Asterisk, and the desk behind it. */
const ASTERISK = '127.0.0.4';
const DESK = '127.0.0.2';

interface SecurePbx {
  readonly pbx: Pbx;
  readonly tls: { readonly host: string; readonly port: number };
  readonly certificate: string;
  readonly key: string;
  remove(): Promise<void>;
}

async function securePbx(options: PbxOptions): Promise<SecurePbx> {
  const { certificate, key, env, ...files } = tlsFiles();
  const pbx = await startPbx({ ...options, env });
  const remove = async (): Promise<void> => {
    await pbx.remove();
    files.remove();
  };
  return { pbx, tls: tlsPlace(pbx), certificate, key, remove };
}

const encryptions = ({ legs }: Json): readonly string[] =>
  legs.map(({ encryption, crypto_suite: suite }: Json) => suite ?? encryption);

describe.runIf(has('baresip')).each(['srtp', 'srtp-mand'] as const)(
  'baresip with mediaenc=%s over TLS',
  (encryption) => {
    let secure: SecurePbx;
    const opened: { close(): void | Promise<void> }[] = [];
    beforeAll(async () => {
      secure = await securePbx({
        recordings: { prompt: { hz: TONES.prompt, ms: 20_000 }, music: { hz: TONES.music, ms: 2_000 } },
        settings: { music_on_hold: 'recording||music' },
        menus: { main: { timeout: 60, option: ['1'], destination: [extension('1002')] } },
        agents: { '1001': { sip: sipDigests('1001', SECRET, hash) }, '1002': {} },
        numbers: { '100': 'ivr||main', '101': extension('1001') },
      });
    }, 60_000);
    afterEach(async () => {
      for (const each of opened.splice(0).reverse()) await each.close();
      await nothingLeft(secure.pbx);
    });
    afterAll(() => secure?.remove());

    async function baresip(): Promise<Baresip> {
      const started = await Baresip.start({
        ...{ server: secure.tls, user: '1001', password: SECRET, toneHz: TONES.baresip },
        ...{ transport: 'tls', answers: 'auto', encryption },
      });
      opened.push({ close: () => started.remove() });
      await started.registered();
      return started;
    }

    it('calls: it hears the menu, presses a key, talks, and holds and resumes', async () => {
      const agent = await Phone.open({ server: secure.pbx.sip, user: '1002', password: PASSWORD });
      opened.push(agent);
      await agent.register();
      const phone = await baresip();
      phone.tell('dial', `sip:100@${secure.tls.host}:${secure.tls.port};transport=tls`);
      await phone.hears(TONES.prompt, { forMs: 500 });
      const ringing = agent.incoming();
      phone.tell('sndcode', '1');
      const talking = await (await ringing).answer();
      await talking.sendTone(TONES.phone);
      await talking.hears(TONES.baresip, { forMs: 300 });
      await phone.hears(TONES.phone, { forMs: 300 });
      phone.tell('hold');
      await talking.hears(TONES.music, { forMs: 300 });
      talking.forget();
      phone.tell('resume');
      // The recorder of baresip 1.0 stays off after a hold.
      await talking.hears(TONES.baresip, { forMs: 300 });
      phone.tell('hangup');
      await talking.ended();
      expect(encryptions(await recordOf(secure.pbx, '1001'))).toEqual([SUITE, 'none']);
    });

    it('is called by a plain phone: both hear each other', async () => {
      const phone = await baresip();
      const outside = await Phone.open({ server: secure.pbx.sip, user: '5550199' });
      opened.push(outside);
      const caller = await (await outside.call('101')).answered();
      await caller.sendTone(TONES.phone);
      await caller.hears(TONES.baresip, { forMs: 300 });
      await phone.hears(TONES.phone, { forMs: 300 });
      await caller.hangUp();
      expect(encryptions(await recordOf(secure.pbx, '5550199'))).toEqual(['none', SUITE]);
    });
  },
);

describe.runIf(hasAsterisk())('Asterisk with media_encryption=sdes over TLS', () => {
  let secure: SecurePbx;
  let asterisk: Asterisk;
  let desk: Phone;
  let outside: Phone;
  beforeAll(async () => {
    secure = await securePbx({
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 } },
      menus: { main: { timeout: 60 } },
      agents: { '1010': {} },
      numbers: { '100': 'ivr||main', '110': extension('1010') },
    });
    const place = { host: ASTERISK, port: await freePort(ASTERISK) };
    desk = await Phone.open({ server: place, host: DESK, user: '5550100' });
    outside = await Phone.open({ server: secure.pbx.sip, user: '5550300' });
    asterisk = await Asterisk.start({
      ...place,
      pjsip: endpoints(secure, await freePort(ASTERISK)),
      extensions: extensions(desk),
      music: {},
    });
  }, 60_000);
  afterAll(async () => {
    desk?.close();
    outside?.close();
    await asterisk?.remove();
    await secure?.remove();
  });

  async function talk(one: PhoneCall, other: PhoneCall): Promise<void> {
    one.forget();
    other.forget();
    await one.sendTone(TONES.phone);
    await other.sendTone(TONES.baresip);
    await Promise.all([one.hears(TONES.baresip, { forMs: 300 }), other.hears(TONES.phone, { forMs: 300 })]);
  }

  it('calls the menu by RTP/SAVP, and hears it', async () => {
    const caller = await (await desk.call('100')).answered();
    await caller.hears(TONES.prompt, { forMs: 500 });
    await caller.hangUp();
    expect(encryptions(await recordOf(secure.pbx, '1010'))).toEqual([SUITE]);
    await nothingLeft(secure.pbx);
  });

  it('is called at its extension: both hear each other, also after a hold', async () => {
    await expect.poll(() => gauge(secure.pbx, 'registrations')).toBe(1);
    const caller = await outside.call('110');
    const at = await (await desk.incoming({ withinMs: 30_000 })).answer();
    await caller.answered();
    await talk(caller, at);
    await at.hold();
    await at.resume();
    await talk(caller, at);
    await at.hangUp();
    await caller.ended();
    expect(encryptions(await recordOf(secure.pbx, '5550300'))).toEqual(['none', SUITE]);
    await nothingLeft(secure.pbx);
  }, 40_000);
});

function endpoints({ tls, certificate, key }: SecurePbx, port: number): string {
  const media = `direct_media=no\ndisallow=all\nallow=ulaw,alaw\nmedia_address=${ASTERISK}\nbind_rtp_to_media_address=yes`;
  const server = `sip:${tls.host}:${tls.port}\\;transport=tls`;
  return [
    `[tls]\ntype=transport\nprotocol=tls\nbind=${ASTERISK}:${port}\ncert_file=${certificate}\npriv_key_file=${key}`,
    `verify_server=no\nverify_client=no\nmethod=tlsv1_2`,
    `[1010]\ntype=aor\ncontact=${server}`,
    `[1010]\ntype=auth\nauth_type=userpass\nusername=1010\npassword=${PASSWORD}`,
    `[1010]\ntype=registration\ntransport=tls\noutbound_auth=1010\ncontact_user=1010\nexpiration=120\nline=yes\nendpoint=1010`,
    `server_uri=${server}\nclient_uri=sip:1010@${tls.host}`,
    `[1010]\ntype=endpoint\ntransport=tls\naors=1010\noutbound_auth=1010\nfrom_user=1010\ncontext=from-dialtree`,
    `media_encryption=sdes\n${media}`,
    `[1010]\ntype=identify\nendpoint=1010\nmatch=${tls.host}`,
    `[desk]\ntype=aor`,
    `[desk]\ntype=endpoint\ntransport=udp\naors=desk\ncontext=desks\n${media}`,
    `[desk]\ntype=identify\nendpoint=desk\nmatch=${DESK}`,
  ].join('\n');
}

const extensions = (desk: Phone): string => `
[desks]
exten => _X.,1,Dial(PJSIP/\${EXTEN}@1010,30)
 same => n,Hangup(\${HANGUPCAUSE})
[from-dialtree]
exten => _X.,1,Dial(PJSIP/desk/sip:desk@${desk.host}:${desk.port},30)
`;
