// The habits of a switchboard with Asterisk 22: its extensions dial star codes, park and pick up; its callers meet in a room and are called back.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import { call, type Json } from '../support/service.ts';
import { hasAsterisk } from './support/asterisk.ts';
import { AGENT, AsteriskOffice, TONES } from './support/asterisk-office.ts';
import { gauge, nothingLeft, recordOf } from './support/observe.ts';

const PIN = '480537';
const via = (name: string) => ({ headers: [['X-Via', name]] as const });

describe.runIf(hasAsterisk())('Asterisk', () => {
  let office: AsteriskOffice;
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, text, json } = await call(
      office.pbx.url,
      method,
      path,
      body === undefined ? {} : { body },
    );
    expect(status, text).toBeLessThan(300);
    return json;
  };
  beforeAll(async () => {
    office = await AsteriskOffice.open({
      departments: { sales: { queue: true, agents: [eidOf('1002')], callback_key: '5' } },
      numbers: { '200': 'department||sales' },
    });
  }, 60_000);
  afterAll(() => office?.close());
  // One failure is one failure.
  afterEach(() => office.hangUp());

  it('pauses the agent of an extension by *46 and ends the pause by *47', async () => {
    const { pbx, desk } = office;
    await expect.poll(() => gauge(pbx, 'registrations')).toBe(3);
    for (const [code, state] of [
      ['*46', 'paused'],
      ['*47', 'free'],
    ] as const) {
      const dialled = await (await desk.call(code, via('1010'))).answered();
      expect(await dialled.ended({ withinMs: 30_000 })).toMatchObject({ by: 'peer', how: 'bye' });
      const stateOf = async (): Promise<Json> => (await ask('GET', `/v1/agent/${eidOf('1010')}/state`)).state;
      await expect.poll(stateOf).toBe(state);
    }
    await nothingLeft(pbx);
  });

  it('answers a colleague’s ringing phone by ** and the intercom number', async () => {
    const { pbx, desk, agent } = office;
    const outside = await office.open({ server: pbx.sip, host: AGENT, user: '5550120' });
    const caller = await outside.call('102');
    const rung = await agent.incoming();
    rung.ring();
    const taking = await (await desk.call('**1002', via('1011'))).answered();
    expect(await rung.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await office.talk(await caller.answered(), taking);
    await taking.hangUp();
    await caller.ended();
    expect(await recordOf(pbx, '5550120')).toMatchObject({ answered_by: eidOf('1011') });
    await nothingLeft(pbx);
  });

  it('parks a caller by REFER to 701, who hears music; a colleague dials 701 and talks with the caller', async () => {
    const { caller, at, channel } = await office.answeredBehind('5550121');
    expect(await office.refer(channel, office.uri('701'))).toBe('SUCCESS');
    await at.ended();
    // The built-in music has two notes at a time.
    await caller.hears('dual', { forMs: 200 });
    const taking = await (await office.agent.call('701')).answered();
    await office.talk(caller, taking);
    await caller.hangUp();
    await taking.ended();
    await nothingLeft(office.pbx);
  });

  it('brings two callers into a conference room, who hear each other', async () => {
    const room = { name: 'Weekly', pin: PIN, pin_recording: 'recording||prompt', announce: false };
    const { id } = await ask('POST', '/v1/room', room);
    await ask('POST', '/v1/number', { number: '300', destination: `room||${id}` });
    const inside = [];
    for (const user of ['5550122', '5550123']) {
      const joining = await (await (await office.deskOf(user)).call('300')).answered();
      await joining.hears(TONES.prompt, { forMs: 100 });
      await joining.pressKeys(`${PIN}#`);
      inside.push(joining);
    }
    const [one, other] = inside;
    if (one === undefined || other === undefined) throw new Error('two were to join');
    await office.talk(one, other);
    await one.hangUp();
    await other.hangUp();
    await nothingLeft(office.pbx);
  });

  it('calls back: a caller asks for it by key, and is rung through Asterisk when the agent is free', async () => {
    const { pbx, desk, agent } = office;
    const first = await (await office.open({ server: pbx.sip, host: AGENT, user: '5550124' })).call('200');
    await (await agent.incoming()).answer();
    await first.answered();
    const asking = await (await (await office.deskOf('+4930200002')).call('200')).answered();
    // Asterisk passes no keys on before it has bridged both sides.
    await asking.hears('dual', { forMs: 100 });
    await asking.pressKeys('51');
    expect(await asking.ended({ withinMs: 30_000 })).toMatchObject({ by: 'peer' });
    await first.hangUp();
    const called = await (await agent.incoming({ withinMs: 30_000 })).answer();
    const back = await (await desk.incoming({ withinMs: 30_000 })).answer();
    await office.talk(back, called);
    await called.hangUp();
    await back.ended();
    await nothingLeft(pbx);
  });
});
