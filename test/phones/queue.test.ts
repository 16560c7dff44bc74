// A queue with baresip at both ends: the caller hears the department's recording between the music, two agents ring at once, and the
// phone of the one who does not answer learns that another did (RFC 3326).
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { eidOf, type Pbx, startPbx } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { Baresip } from './support/baresip.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';

const TONES = toneCoded('music', 'message', 'caller', 'one', 'two');
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const sip = (user: string) => ({ sip: sipDigests(user, SECRET, hash) });

describe.runIf(has('baresip'))('a queue with baresip', () => {
  let pbx: Pbx;
  const opened: Baresip[] = [];
  beforeAll(async () => {
    pbx = await startPbx({
      recordings: { music: { hz: TONES.music, ms: 2_000 }, message: { hz: TONES.message, ms: 1_500 } },
      agents: { '1001': sip('1001'), '1002': sip('1002'), '1003': sip('1003') },
      departments: {
        sales: {
          queue: true,
          agents: [eidOf('1001'), eidOf('1002')],
          strategy: 'longest_idle',
          ring_together: 2,
          join_when_empty: true,
          music_on_hold: 'recording||music',
          announce_recording: 'recording||message',
          // Shorter than the API allows.
          announce_recording_seconds: 3,
        },
      },
      numbers: { '200': 'department||sales' },
    });
  });
  afterAll(async () => {
    for (const each of opened) await each.remove();
    await pbx?.remove();
  });

  async function baresip(user: string, toneHz: number): Promise<Baresip> {
    const device = await Baresip.start({ server: pbx.sip, user, password: SECRET, toneHz });
    opened.push(device);
    await device.registered();
    return device;
  }

  it('plays the recording between the music, rings both agents, and tells one that the other answered', async () => {
    const caller = await baresip('1003', TONES.caller);
    caller.tell('dial', `sip:200@${pbx.sip.host}:${pbx.sip.port}`);
    await caller.happens('CALL_ESTABLISHED');
    for (const tone of [TONES.music, TONES.message, TONES.music, TONES.message])
      await caller.hears(tone, { forMs: 400 });
    caller.tell('hangup');
    await nothingLeft(pbx);

    const [one, two] = await Promise.all([baresip('1001', TONES.one), baresip('1002', TONES.two)]);
    caller.tell('dial', `sip:200@${pbx.sip.host}:${pbx.sip.port}`);
    await Promise.all([one.happens('CALL_INCOMING'), two.happens('CALL_INCOMING')]);
    two.tell('accept');
    await two.happens('CALL_ESTABLISHED');
    await one.happens('CALL_CLOSED');
    await eventually(
      () =>
        /\nCANCEL sip:[\s\S]*?\r?\nReason: SIP;cause=200;text="Call completed elsewhere"\r?\n/.test(one.said),
      {},
      () => `baresip was not told:\n${one.said}`,
    );
    await Promise.all([caller.hears(TONES.two), two.hears(TONES.caller)]);
    caller.tell('hangup');
    await two.happens('CALL_CLOSED');
    await nothingLeft(pbx);
    expect(await recordOf(pbx, '1003')).toMatchObject({ answered_by: eidOf('1002') });
  });
});
