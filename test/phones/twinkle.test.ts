// Twinkle: it registers, calls a menu and presses a key, holds, is called, and transfers after a word and without one.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { eidOf, extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';
import { Twinkle } from './support/twinkle.ts';

const TONES = toneCoded('prompt', 'twinkle', 'music', 'caller', 'colleague');
const SECRET = 'the-sip-password';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const isHere = [has('twinkle-console'), has('pulseaudio'), has('parec')].every((each) => each);

describe.runIf(isHere)('Twinkle', () => {
  let pbx: Pbx;
  let twinkle: Twinkle;
  let phone: Phone;
  beforeAll(async () => {
    pbx = await startPbx({
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 }, music: { hz: TONES.music, ms: 2_000 } },
      settings: { music_on_hold: 'recording||music' },
      menus: { main: { timeout: 60, option: ['1'], destination: [extension('1002')] } },
      agents: { '1010': { sip: sipDigests('1010', SECRET, hash) }, '1002': {} },
      numbers: { '100': 'ivr||main', '110': extension('1010') },
    });
    phone = await Phone.open({ server: pbx.sip, user: '1002', password: PASSWORD });
    await phone.register();
    twinkle = await Twinkle.start({ server: pbx.sip, user: '1010', password: SECRET, toneHz: TONES.twinkle });
  }, 60_000);
  afterAll(async () => {
    phone?.close();
    await twinkle?.remove();
    await pbx?.remove();
  });

  it('calls the menu and hears it, presses a key, and talks with the agent', async () => {
    twinkle.type('call 100');
    await twinkle.hears(TONES.prompt);
    const ringing = phone.incoming();
    twinkle.type('dtmf 1');
    const talking = await (await ringing).answer();
    await talking.sendTone(TONES.colleague);
    await talking.hears(TONES.twinkle, { forMs: 300 });
    await twinkle.hears(TONES.colleague);
    twinkle.type('bye');
    await talking.ended();
    expect(await recordOf(pbx, '1010')).toMatchObject({ keys: [{ key: '1' }], answered_by: eidOf('1002') });
    await nothingLeft(pbx);
  });

  it('is called, holds and resumes: the caller hears music, and Twinkle again; then the caller holds', async () => {
    const calling = await phone.call('1010');
    await twinkle.says(/incoming call/i);
    twinkle.type('answer');
    const talking = await calling.answered();
    await talking.hears(TONES.twinkle, { forMs: 300 });
    twinkle.type('hold');
    await talking.hears(TONES.music, { forMs: 500 });
    twinkle.type('retrieve');
    await talking.hears(TONES.twinkle, { forMs: 300 });
    await talking.hold();
    await twinkle.hears(TONES.music);
    await talking.resume();
    await talking.sendTone(TONES.colleague);
    await twinkle.hears(TONES.colleague);
    await talking.hangUp();
    await nothingLeft(pbx);
  });

  it('transfers a caller to a colleague after a word with her', async () => {
    const outside = await Phone.open({ server: pbx.sip, user: '5550110' });
    const calling = await outside.call('110');
    await twinkle.says(/incoming call/i);
    twinkle.type('answer');
    const caller = await calling.answered();
    await caller.hears(TONES.twinkle, { forMs: 300 });
    twinkle.type('transfer -c 1002');
    const colleague = await (await phone.incoming()).answer();
    await colleague.hears(TONES.twinkle, { forMs: 300 });
    await caller.hears(TONES.music, { forMs: 300 });
    twinkle.type('transfer -c');
    await caller.sendTone(TONES.caller);
    await colleague.sendTone(TONES.colleague);
    await Promise.all([
      caller.hears(TONES.colleague, { forMs: 300 }),
      colleague.hears(TONES.caller, { forMs: 300 }),
    ]);
    await caller.hangUp();
    await colleague.ended();
    outside.close();
    expect(await recordOf(pbx, '5550110')).toMatchObject({
      outcome: 'transferred',
      transferred_to: { attended: true },
    });
    await nothingLeft(pbx);
  });

  it('transfers a caller to a colleague without a word', async () => {
    const outside = await Phone.open({ server: pbx.sip, user: '5550111' });
    const calling = await outside.call('110');
    await twinkle.says(/incoming call/i);
    twinkle.type('answer');
    const caller = await calling.answered();
    await caller.hears(TONES.twinkle, { forMs: 300 });
    twinkle.type('transfer 1002');
    const colleague = await (await phone.incoming()).answer();
    await caller.sendTone(TONES.caller);
    await colleague.hears(TONES.caller, { forMs: 300 });
    await caller.hangUp();
    await colleague.ended();
    outside.close();
    await nothingLeft(pbx);
  });
});
