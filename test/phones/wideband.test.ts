// G.722 between two phones that we did not write: two baresips, each of which proves by its tone what the other heard.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { Baresip } from './support/baresip.ts';
import { has } from './support/program.ts';

const TONES = toneCoded('caller', 'called');
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const sipOf = (user: string) => sipDigests(user, SECRET, hash);

describe.runIf(has('baresip'))('two baresips with G.722', () => {
  let pbx: Pbx;
  const phones: Baresip[] = [];
  beforeAll(async () => {
    pbx = await startPbx({ agents: { '1001': { sip: sipOf('1001') }, '1002': { sip: sipOf('1002') } } });
  });
  afterAll(async () => {
    for (const each of phones) await each.remove();
    await pbx.remove();
  });

  async function baresip(user: string, toneHz: number, answers: 'manual' | 'auto'): Promise<Baresip> {
    const codecs = 'G722/16000/1,PCMU/8000/1';
    const started = await Baresip.start({ server: pbx.sip, user, password: SECRET, toneHz, answers, codecs });
    phones.push(started);
    await started.registered();
    return started;
  }

  it('talk in it, and hear each other', async () => {
    const called = await baresip('1002', TONES.called, 'auto');
    const caller = await baresip('1001', TONES.caller, 'manual');
    caller.tell('dial', `sip:1002@${pbx.sip.host}:${pbx.sip.port}`);
    await caller.happens('CALL_ESTABLISHED');
    await expect.poll(() => wideOffers(called)).toBeGreaterThan(0);
    await expect.poll(() => wideOffers(caller)).toBeGreaterThan(0);
    await caller.hears(TONES.called, { forMs: 500 });
    await called.hears(TONES.caller, { forMs: 500 });
    caller.tell('hangup');
    await called.happens('CALL_CLOSED');
  });
});

/** Offers of the service that it got with G.722 in front. */
const wideOffers = ({ said }: Baresip): number => said.match(/^m=audio \d+ RTP\/AVP 9 0 8 /gm)?.length ?? 0;
