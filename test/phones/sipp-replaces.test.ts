// SIPp takes calls over by INVITE with Replaces (RFC 3891): while they ring, and when they are answered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { has } from './support/program.ts';
import { Sipp } from './support/sipp.ts';

describe.runIf(has('sipp'))('SIPp with Replaces', () => {
  let pbx: Pbx;
  let phone: Phone;
  beforeAll(async () => {
    pbx = await startPbx({ agents: { '1001': {}, '1002': {} }, numbers: { '7001': extension('1001') } });
    phone = await Phone.open({ server: pbx.sip, user: '1001', password: PASSWORD });
    await phone.register();
  });
  afterAll(async () => {
    phone?.close();
    await pbx?.remove();
  });

  async function ringing(user: string): Promise<{ caller: PhoneCall; rung: PhoneCall; close(): void }> {
    const outside = await Phone.open({ server: pbx.sip, user });
    const caller = await outside.call('7001');
    const rung = await phone.incoming();
    rung.ring();
    await caller.progressed(180);
    return { caller, rung, close: () => outside.close() };
  }

  const takes = async (scenario: string, { dialog }: PhoneCall, more = '') => {
    const replaces = `${dialog.callId};to-tag=${dialog.remoteTag};from-tag=${dialog.localTag}${more}`;
    const by = ['-au', '1002', '-ap', PASSWORD];
    const sipp = await Sipp.start({ scenario, server: pbx.sip, user: '1002', keys: { replaces }, more: by });
    const result = await sipp.ended;
    expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });
  };

  it('answers a phone that rings, with early-only', async () => {
    const { caller, rung, close } = await ringing('5551001');
    await takes('takes-over', rung, ';early-only');
    expect(await rung.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect(await caller.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(await recordOf(pbx, '5551001')).toMatchObject({ answered_by: eidOf('1002') });
    close();
    await nothingLeft(pbx);
  });

  it('is refused with early-only when the call is answered, and takes it over without', async () => {
    const { caller, rung, close } = await ringing('5551002');
    await rung.answer();
    await caller.answered();
    await takes('comes-too-late', rung, ';early-only');
    expect(caller.end).toBeNull();
    await takes('takes-over', rung);
    expect(await rung.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(await caller.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    close();
    await nothingLeft(pbx);
  });
});
