// Linphone, with the lines of docs/desk-phones.md: it registers, is called, holds, calls a menu and presses a key, and transfers after a word.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { fencesOf, readPage } from '../calls/support/shell-page.ts';
import { extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { call } from '../support/service.ts';
import { Linphone } from './support/linphone.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';

const TONES = toneCoded('prompt', 'linphone', 'music', 'caller', 'colleague');
const SECRET = 'the-sip-password';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

/** What the page says to type, by its first word. */
function typed(word: string, address: string): string {
  const lines = fencesOf(readPage('docs/desk-phones.md'))
    .filter(({ language }) => language === 'linphonec')
    .flatMap(({ text }) => text.trim().split('\n'));
  const line = lines.find((each) => each.startsWith(`${word} `) || each === word);
  if (line === undefined) throw new Error(`docs/desk-phones.md does not say "${word}".`);
  return line.replaceAll('192.0.2.10', address);
}

describe.runIf(has('linphonec'))('Linphone', () => {
  let pbx: Pbx;
  let linphone: Linphone;
  let phone: Phone;
  beforeAll(async () => {
    pbx = await startPbx({
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 }, music: { hz: TONES.music, ms: 2_000 } },
      settings: { music_on_hold: 'recording||music' },
      menus: { main: { timeout: 60, option: ['1'], destination: [extension('1002')] } },
      agents: {
        '1010': { sip: sipDigests('1010', SECRET, hash) },
        '1002': {},
        '1020': { name: 'Dana "<&> Özil' },
      },
      numbers: { '100': 'ivr||main', '110': extension('1010') },
    });
    linphone = await Linphone.start(TONES.linphone);
    linphone.talkFromFile();
    linphone.type(typed('register', `${pbx.sip.host}:${pbx.sip.port}`));
    phone = await Phone.open({ server: pbx.sip, user: '1002', password: PASSWORD });
    await phone.register();
  }, 60_000);
  afterAll(async () => {
    phone?.close();
    await linphone?.remove();
    await pbx?.remove();
  });

  it('registers, is called by a colleague, and is heard', async () => {
    await expect.poll(() => gauge(pbx, 'registrations')).toBe(2);
    const talking = await (await phone.call('1010')).answered();
    await talking.hears(TONES.linphone, { forMs: 300 });
    await talking.hangUp();
    expect(await recordOf(pbx, '1002')).toMatchObject({ answered_by: '91010' });
    await nothingLeft(pbx);
  });

  it('holds with pause: the other side hears music, and Linphone again after resume', async () => {
    const talking = await (await phone.call('1010')).answered();
    await talking.hears(TONES.linphone, { forMs: 300 });
    linphone.type('pause');
    await talking.hears(TONES.music, { forMs: 1_000 });
    expect(talking.remote?.direction).toBe('sendrecv');
    linphone.type('resume');
    await talking.hears(TONES.linphone, { forMs: 300 });
    await talking.hangUp();
    await nothingLeft(pbx);
  });

  it('configures itself by an address that works once, registers and calls a menu', async () => {
    const made = await call(pbx.url, 'POST', '/v1/agent/91020/provisioning', { body: {} });
    const uri = `${pbx.url}${made.json.paths.linphone}`;
    const before = await gauge(pbx, 'registrations');
    const other = await Linphone.start(TONES.linphone, [], `[misc]\nconfig-uri=${uri}\n`);
    try {
      await expect.poll(() => gauge(pbx, 'registrations')).toBe(before + 1);
      const { json } = await call(pbx.url, 'GET', '/v1/agent/91020/phones');
      expect(json).toMatchObject([{ user_agent: expect.stringMatching(/linphone/i) }]);
      expect((await fetch(uri)).status).toBe(404);
      // Not before: the fetched settings put the sound card back.
      other.talkFromFile();
      await other.calls(typed('call', ''));
      await expect.poll(() => gauge(pbx, 'media_streams')).toBe(1);
      const ringing = phone.incoming();
      other.type(typed('1', ''));
      const talking = await (await ringing).answer();
      await talking.hears(TONES.linphone, { forMs: 300 });
      other.type(typed('terminate', ''));
      await talking.ended();
      expect(await recordOf(pbx, '1020')).toMatchObject({ keys: [{ key: '1' }] });
    } finally {
      await other.remove();
    }
  });

  it('calls the menu, presses a key and is heard by the agent', async () => {
    await linphone.calls(typed('call', ''));
    await expect.poll(() => gauge(pbx, 'media_streams')).toBe(1);
    const ringing = phone.incoming();
    linphone.type(typed('1', ''));
    const talking = await (await ringing).answer();
    await talking.hears(TONES.linphone, { forMs: 300 });
    linphone.type(typed('terminate', ''));
    await talking.ended();
    const record = await recordOf(pbx, '1010');
    expect(record.keys).toMatchObject([{ key: '1' }]);
    await nothingLeft(pbx);
  });

  it('transfers a caller to a colleague after a word with her (REFER with Replaces)', async () => {
    const outside = await Phone.open({ server: pbx.sip, user: '5550110' });
    const caller = await (await outside.call('110')).answered();
    await caller.hears(TONES.linphone, { forMs: 300 });
    linphone.type('pause', 'call 1002');
    const colleague = await (await phone.incoming()).answer();
    await colleague.hears(TONES.linphone, { forMs: 300 });
    const [first, second] = await linphone.callIds(2);
    linphone.type(`transfer ${first} --to-call ${second}`);
    await linphone.says(/Performing attended transfer/);
    await caller.sendTone(TONES.caller);
    await colleague.sendTone(TONES.colleague);
    await Promise.all([
      caller.hears(TONES.colleague, { forMs: 300 }),
      colleague.hears(TONES.caller, { forMs: 300 }),
    ]);
    await expect.poll(() => gauge(pbx, 'legs')).toBe(2);
    await caller.hangUp();
    await colleague.ended();
    outside.close();
    const from = await recordOf(pbx, '5550110');
    expect(from).toMatchObject({ outcome: 'transferred', transferred_to: { attended: true } });
    await nothingLeft(pbx);
  });
});
