// Asterisk 22 beside Dialtree: as a provider (a trunk), and as an office whose extensions register here. Phones of ours behind it speak and
// hear through it: each is at another address of loopback.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension, type Pbx } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { header } from '../support/phone/sip-text.ts';
import { type Asterisk, hasAsterisk } from './support/asterisk.ts';
import { AGENT, AsteriskOffice, DESK, DIRECT_DESK, TONES } from './support/asterisk-office.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';

describe.runIf(hasAsterisk())('Asterisk', () => {
  let office: AsteriskOffice;
  let pbx: Pbx;
  let asterisk: Asterisk;
  let desk: Phone;
  let agent: Phone;
  beforeAll(async () => {
    office = await AsteriskOffice.open({
      menus: { main: { timeout: 60, option: ['1'], destination: [extension('1002')] } },
      numbers: { '100': 'ivr||main' },
    });
    ({ pbx, asterisk, desk, agent } = office);
  }, 60_000);
  afterAll(() => office?.close());
  // One failure is one failure.
  afterEach(() => office.hangUp());
  const talk = (one: PhoneCall, other: PhoneCall): Promise<void> => office.talk(one, other);
  const deskOf = (user: string, host?: string): Promise<Phone> => office.deskOf(user, host);
  const via = (name: string) => ({ headers: [['X-Via', name]] as const });
  const final = (call: PhoneCall, name: string): string =>
    call.finalResponse === null ? '' : header(call.finalResponse, name);

  /** A desk that talks with the agent, by that endpoint. */
  async function connected(
    user: string,
    endpoint: string,
    host = DESK,
  ): Promise<{ caller: PhoneCall; talking: PhoneCall }> {
    const caller = await (await deskOf(user, host)).call('102', via(endpoint));
    const talking = await (await agent.incoming()).answer();
    await caller.answered();
    await talk(caller, talking);
    return { caller, talking };
  }

  describe('as a trunk', () => {
    it('brings a caller into the menu, who hears it, presses a key and talks with the agent', async () => {
      const caller = await (await (await deskOf('5550101')).call('100')).answered();
      await caller.hears(TONES.prompt, { forMs: 500 });
      const ringing = agent.incoming();
      await caller.pressKeys('1');
      const talking = await (await ringing).answer();
      await talk(caller, talking);
      await caller.pressKeys('7');
      await talking.receivesKeys('7');
      await caller.hangUp();
      await talking.ended();
      expect(await recordOf(pbx, '5550101')).toMatchObject({
        keys: [{ key: '1' }],
        answered_by: eidOf('1002'),
      });
      await nothingLeft(pbx);
    });

    it('holds by re-INVITE: the agent hears our music, and the desk after it; the agent holds, and the desk hears it', async () => {
      const { caller, talking } = await connected('5550102', 'dialtree');
      await caller.hold();
      await talking.hears(TONES.music, { forMs: 500 });
      await caller.resume();
      await talk(caller, talking);
      caller.forget();
      await talking.hold();
      await caller.hears(TONES.music, { forMs: 500 });
      await talking.resume();
      await talk(caller, talking);
      await talking.hangUp();
      await caller.ended();
      await nothingLeft(pbx);
    });

    it('holds with music of its own: the agent hears that', async () => {
      const { caller, talking } = await connected('5550103', 'own-music');
      talking.forget();
      await caller.hold();
      await talking.hears(TONES.theirs, { forMs: 500 });
      await caller.resume();
      await talk(caller, talking);
      await caller.hangUp();
      await nothingLeft(pbx);
    });

    it('takes itself out of the sound by re-INVITE (direct media)', async () => {
      const { caller, talking } = await connected('5550104', 'direct', DIRECT_DESK);
      // Asterisk names the other side's address to each: the desk gets that of the service.
      await eventually(
        () => caller.remote?.address === pbx.sip.host,
        {},
        () => `the desk's sound stays at ${caller.remote?.address}`,
      );
      await talk(caller, talking);
      await caller.hangUp();
      await talking.ended();
      await nothingLeft(pbx);
    });

    it('sends early media: the agent hears it before the answer, and is heard', async () => {
      const call = await agent.call('+493001');
      await call.progressed(183, { withinMs: 30_000 });
      await call.sendTone(TONES.agent);
      // Asterisk sends back what it hears.
      await call.hears(TONES.agent, { forMs: 500 });
      expect(call.status).toBe(null);
      await call.hangUp();
      await nothingLeft(pbx);
    });

    it('gets early media: a desk hears an agent’s phone before the answer, and is heard', async () => {
      const caller = await (await deskOf('5550105')).call('102');
      const rung = await agent.incoming();
      rung.ring(183);
      await rung.sendTone(TONES.agent);
      await caller.hears(TONES.agent, { forMs: 500 });
      expect(caller.status).toBe(null);
      await caller.sendTone(TONES.desk);
      await rung.hears(TONES.desk, { forMs: 300 });
      await rung.answer();
      await caller.answered();
      await talk(caller, rung);
      await caller.hangUp();
      await rung.ended();
      await nothingLeft(pbx);
    });

    it.each([
      [486, 17],
      [404, 11, 1],
      [488, 58],
    ])(
      'refuses with %s: the agent gets it, with the cause in Reason',
      async (status, number, cause = number) => {
        const call = await agent.call(`+4930${number}`);
        expect(await call.finished({ withinMs: 30_000 })).toBe(status);
        expect(final(call, 'reason')).toBe(`Q.850;cause=${cause}`);
        await nothingLeft(pbx);
      },
    );

    it('is refused with 486 by a busy agent, and 404 for a number that does not exist: the desk gets the cause', async () => {
      const other = await deskOf('5550106');
      const busy = await other.call('102');
      (await agent.incoming()).reject(486, 'Busy Here');
      expect(await busy.finished()).toBe(486);
      expect(final(busy, 'reason')).toContain('Q.850;cause=17');
      const unknown = await other.call('199');
      expect(await unknown.finished()).toBe(404);
      expect(final(unknown, 'reason')).toContain('Q.850;cause=1');
      await nothingLeft(pbx);
    });

    it('is refused with 488 and a Warning when it offers a codec that we do not have', async () => {
      const call = await (await deskOf('5550107')).call('102', via('gsm'));
      expect(await call.finished()).toBeGreaterThanOrEqual(400);
      await expect.poll(() => asterisk.log).toMatch(/SIP\/2\.0 488 [\s\S]*?Warning: 305 /);
      await nothingLeft(pbx);
    });

    it('says who calls (P-Asserted-Identity) and who forwarded the call (Diversion): both are in the record', async () => {
      const other = await deskOf('5550108');
      const caller = await other.call('102', { headers: [['X-Forwarded', '5550199']] });
      const rung = await agent.incoming();
      expect(rung.caller).toBe('5550108');
      await rung.answer();
      await (await caller.answered()).hangUp();
      expect(await recordOf(pbx, '5550108')).toMatchObject({
        identity: { diversions: [expect.objectContaining({ number: '5550199' })] },
      });
      await nothingLeft(pbx);
    });

    it('is told the caller ID of the trunk in P-Asserted-Identity', async () => {
      const call = await agent.call('+4930200002');
      const rung = await desk.incoming();
      expect(rung.caller).toBe('+4930123456');
      await rung.answer();
      await talk(await call.answered(), rung);
      await rung.hangUp();
      await call.ended();
      await nothingLeft(pbx);
    });
  });

  describe('as phones that register', () => {
    it('registers two extensions; both are called, and heard', async () => {
      await expect.poll(() => gauge(pbx, 'registrations')).toBe(3);
      const { caller, at } = await office.answeredBehind('5550110');
      await caller.hangUp();
      await at.ended();
      expect(await recordOf(pbx, '5550110')).toMatchObject({ answered_by: eidOf('1010') });
      await nothingLeft(pbx);
    });

    it('calls as its extension: the password is asked for, and the colleague sees who calls', async () => {
      const calling = await desk.call('1002', via('1010'));
      const rung = await agent.incoming();
      expect(rung.caller).toBe('1010');
      await rung.answer();
      await talk(await calling.answered(), rung);
      await calling.hangUp();
      await rung.ended();
      await nothingLeft(pbx);
    });

    it('transfers blindly (REFER): the caller talks with the colleague', async () => {
      const { caller, at, channel } = await office.answeredBehind('5550111');
      const ringing = agent.incoming();
      const status = office.refer(channel, office.uri('1002'));
      const colleague = await (await ringing).answer();
      expect(await status).toBe('SUCCESS');
      await at.ended();
      await talk(caller, colleague);
      await caller.hangUp();
      await colleague.ended();
      expect(await recordOf(pbx, '5550111')).toMatchObject({
        ...{ outcome: 'answered', answered_by: eidOf('1002') },
        transferred_from: { by: { kind: 'agent', id: eidOf('1010') } },
      });
      await nothingLeft(pbx);
    });

    it('transfers after a word (REFER with Replaces): the caller talks with the colleague', async () => {
      const { caller, at, channel } = await office.answeredBehind('5550112');
      const from = asterisk.events.length;
      await at.hold();
      await caller.hears(TONES.music, { forMs: 300 });
      const consulting = await desk.call('1002', via('1010'));
      const colleague = await (await agent.incoming()).answer();
      await talk(await consulting.answered(), colleague);
      const { Channel: second = '' } = await asterisk.happens(
        'Newchannel',
        { Context: 'from-dialtree' },
        from,
      );
      const { id, local, remote } = await office.dialogOf(second);
      const replaces = encodeURIComponent(`${id};to-tag=${remote};from-tag=${local}`);
      expect(await office.refer(channel, `<${office.uri('1002')}?Replaces=${replaces}>`)).toBe('SUCCESS');
      await talk(caller, colleague);
      await caller.hangUp();
      await colleague.ended();
      expect(await recordOf(pbx, '5550112')).toMatchObject({
        outcome: 'transferred',
        transferred_to: { attended: true },
      });
      await nothingLeft(pbx);
    });

    it('takes a call over from its other extension (INVITE with Replaces), and is refused as a trunk', async () => {
      const { caller, at, channel } = await office.answeredBehind('5550113');
      const { id, local, remote } = await office.dialogOf(channel);
      const replaces = `${id};to-tag=${remote};from-tag=${local}`;
      const other = await deskOf('5550114');
      const refused = await other.call('1010', { headers: [['X-Replaces', replaces]] });
      expect(await refused.finished()).toBeGreaterThanOrEqual(400);
      await expect.poll(() => asterisk.log).toMatch(/SIP\/2\.0 481 /);
      expect(caller.end).toBe(null);
      const taking = await other.call('1010', {
        headers: [
          ['X-Via', '1011'],
          ['X-Replaces', replaces],
        ],
      });
      await taking.answered();
      await at.ended();
      await talk(caller, taking);
      await taking.hangUp();
      await caller.ended();
      await nothingLeft(pbx);
    });

    it('answers a colleague’s ringing phone by INVITE with Replaces', async () => {
      const outside = await office.open({ server: pbx.sip, host: AGENT, user: '5550115' });
      const caller = await outside.call('102');
      const rung = await agent.incoming();
      rung.ring();
      const { callId, remoteTag, localTag } = rung.dialog;
      const replaces = `${callId};to-tag=${remoteTag};from-tag=${localTag}`;
      const taking = await desk.call('1002', {
        headers: [
          ['X-Via', '1011'],
          ['X-Replaces', replaces],
        ],
      });
      await taking.answered();
      expect(await rung.ended()).toMatchObject({ how: 'cancel' });
      await talk(await caller.answered(), taking);
      await caller.hangUp();
      await taking.ended();
      expect(await recordOf(pbx, '5550115')).toMatchObject({ answered_by: eidOf('1011') });
      await nothingLeft(pbx);
    });
  });
});
