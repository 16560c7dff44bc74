// Linphone, with the lines of docs/desk-phones.md: it registers, is called, calls a menu and presses a key.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { fencesOf, readPage } from '../calls/support/shell-page.ts';
import { extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { Linphone } from './support/linphone.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';

const TONES = toneCoded('prompt', 'linphone');
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
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 } },
      menus: { main: { timeout: 60, option: ['1'], destination: [extension('1002')] } },
      agents: { '1010': { sip: sipDigests('1010', SECRET, hash) }, '1002': {} },
      numbers: { '100': 'ivr||main' },
    });
    linphone = await Linphone.start(TONES.linphone);
    linphone.useFiles();
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
    await expect.poll(() => gauge(pbx, 'registrations'), { timeout: 10_000 }).toBe(2);
    const talking = await (await phone.call('1010')).answered();
    await talking.hears(TONES.linphone, { forMs: 300 });
    await talking.hangUp();
    expect(await recordOf(pbx, '1002')).toMatchObject({ answered_by: '91010' });
    await nothingLeft(pbx);
  });

  it('calls the menu, presses a key and is heard by the agent', async () => {
    linphone.type(typed('call', ''));
    await expect.poll(() => gauge(pbx, 'media_streams'), { timeout: 10_000 }).toBe(1);
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
});
