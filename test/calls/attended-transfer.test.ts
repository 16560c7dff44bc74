// A word with the destination before a call is handed over: by desk phones (REFER and INVITE with Replaces) and by request. Two media
// workers, so that the calls that are joined are in different ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import type { Json } from '../support/service.ts';
import { callerOf, codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'colleague');
const AGENTS = Array.from({ length: 20 }, (_, index) => String(1_001 + index));
const numberOf = (intercom: string): string => `7${intercom}`;
let bed: PhoneBed;
let nextAgent = 0;

beforeAll(async () => {
  bed = await PhoneBed.open({
    env: { MEDIA_WORKERS: '2' },
    recordings,
    agents: Object.fromEntries(AGENTS.map((each) => [each, {}])),
    numbers: Object.fromEntries(AGENTS.map((each) => [numberOf(each), extension(each)])),
  });
});

afterAll(() => bed.close());

interface Desk {
  readonly phone: Phone;
  readonly intercom: string;
}

async function desk(): Promise<Desk> {
  const intercom = AGENTS[nextAgent++] ?? '';
  return { phone: await bed.agent(intercom), intercom };
}

/** A caller from outside, an agent who has answered, and a colleague whose phone is registered. */
async function talk() {
  const [agent, colleague] = [await desk(), await desk()];
  const caller = await bed.dial(numberOf(agent.intercom));
  const leg = await (await agent.phone.incoming()).answer();
  await caller.answered();
  return { caller, agent, leg, colleague };
}

/** The dialog of a call as the other end of it has it. */
const dialogOf = ({ dialog }: PhoneCall): string =>
  `${dialog.callId};to-tag=${dialog.remoteTag};from-tag=${dialog.localTag}`;

const refer = (leg: PhoneCall, to: string, replaces: string): Promise<number> =>
  leg.refer(`sip:${to}@${bed.pbx.sip.host}?Replaces=${encodeURIComponent(replaces)}`);

async function hearEachOther(one: PhoneCall, other: PhoneCall): Promise<void> {
  for (const call of [one, other]) call.forget();
  await one.sendTone(hz.caller);
  await other.sendTone(hz.colleague);
  await Promise.all([one.hears(hz.colleague, { forMs: 200 }), other.hears(hz.caller, { forMs: 200 })]);
}

async function liveOf(caller: PhoneCall): Promise<Json> {
  const { json } = await bed.api('GET', `/v1/live_calls?caller=${callerOf(caller)}`);
  return json.data[0];
}

describe('an attended transfer by a desk phone', () => {
  it('joins both others, who hear each other, and the agent is out of both calls', async () => {
    const { caller, agent, leg, colleague } = await talk();
    await leg.hold();
    const consult = await agent.phone.call(colleague.intercom);
    const far = await (await colleague.phone.incoming()).answer();
    await consult.answered();
    await hearEachOther(consult, far);
    expect(await refer(leg, colleague.intercom, dialogOf(consult))).toBe(202);
    expect(await leg.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(await consult.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(leg.notifications.map((text) => text.split(' ')[1])).toEqual(['100', '200']);
    await hearEachOther(caller, far);
    await caller.pressKeys('5');
    await bed.until('the key', async () => far.rtp.keys.some(({ key }) => key === '5'));
    await caller.hangUp();
    expect(await far.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    const [first, second] = [await bed.record(caller), await bed.record(agent.intercom)];
    const by = { kind: 'agent', id: eidOf(agent.intercom) };
    expect(first).toMatchObject({
      outcome: 'transferred',
      transferred_to: { call_id: second.id, by, attended: true },
    });
    expect(second).toMatchObject({
      outcome: 'answered',
      answered_by: eidOf(colleague.intercom),
      transferred_from: { call_id: first.id, by, attended: true },
    });
    expect(codes(second)).toContain('party-replaced');
  });

  it('while the colleague’s phone rings lets the caller wait for the answer', async () => {
    const { caller, agent, leg, colleague } = await talk();
    const consult = await agent.phone.call(colleague.intercom);
    const far = await colleague.phone.incoming();
    far.ring();
    await consult.progressed(180);
    expect(await refer(leg, colleague.intercom, dialogOf(consult))).toBe(202);
    expect(await leg.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    expect(await consult.ended()).toMatchObject({ by: 'peer', how: 'refused' });
    await caller.hears('dual', { forMs: 200 });
    await far.answer();
    await hearEachOther(caller, far);
    await far.hangUp();
    await caller.ended();
  });

  it('by a REFER outside the call, which names it (Target-Dialog, RFC 4538), is for its own phone alone', async () => {
    const { caller, agent, leg, colleague } = await talk();
    const { callId, localTag, remoteTag } = leg.dialog;
    const uri = `sip:${bed.pbx.sip.host}:${bed.pbx.sip.port}`;
    const send = async ({ phone }: Desk): Promise<number> => {
      const request = (seq: number, more: readonly (readonly [string, string])[]) =>
        phone.transactions.request({
          method: 'REFER',
          uri,
          to: bed.pbx.sip,
          headers: [
            ['Max-Forwards', '70'],
            ['From', `<${phone.address}>;tag=refer`],
            ['To', `<${uri}>`],
            ['Call-ID', `refer-${phone.port}`],
            ['CSeq', `${seq} REFER`],
            ['Contact', phone.contact],
            ['Target-Dialog', `${callId};local-tag=${localTag};remote-tag=${remoteTag}`],
            ['Refer-To', `<sip:${colleague.intercom}@${bed.pbx.sip.host}>`],
            ...more,
          ],
        });
      const first = await request(1, []);
      const credentials = phone.credentials(first, 'REFER', uri);
      return (credentials === null ? first : await request(2, [credentials])).status ?? 0;
    };
    expect(await send(colleague)).toBe(403);
    expect(await send(agent)).toBe(202);
    expect(await leg.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    const far = await (await colleague.phone.incoming()).answer();
    await hearEachOther(caller, far);
    await caller.hangUp();
    await far.ended();
  });

  it('to a dialog that is not the agent’s own fails in the NOTIFY, and both calls go on', async () => {
    const { caller, agent, leg, colleague } = await talk();
    const third = await desk();
    const other = await third.phone.call(colleague.intercom);
    const far = await (await colleague.phone.incoming()).answer();
    await other.answered();
    const { callId, remoteTag, localTag } = other.dialog;
    // The right one of another agent, one with a guessed tag, and the side of the caller.
    const named = [dialogOf(other), `${callId};to-tag=${remoteTag};from-tag=guess`, dialogOf(caller), 'x'];
    for (const replaces of named) expect(await refer(leg, colleague.intercom, replaces)).toBe(202);
    expect(await refer(leg, colleague.intercom, `${callId};to-tag=${localTag};from-tag=x`)).toBe(202);
    await bed.until(
      'all failures',
      async () => leg.notifications.filter((text) => text.includes('481')).length === 5,
    );
    await hearEachOther(caller, leg);
    await hearEachOther(other, far);
    expect(agent.phone.calls[0]?.end).toBeNull();
    for (const call of [caller, other]) await call.hangUp();
  });
});

describe('INVITE with Replaces', () => {
  it('of a colleague answers a phone that rings, and early-only refuses what is answered', async () => {
    const [ringing, taker] = [await desk(), await desk()];
    const caller = await bed.dial(numberOf(ringing.intercom));
    const rung = await ringing.phone.incoming();
    rung.ring();
    await caller.progressed(180);
    const replaces = `${dialogOf(rung)};early-only`;
    const taken = await taker.phone.call(ringing.intercom, { headers: [['Replaces', replaces]] });
    await taken.answered();
    expect(await rung.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await caller.answered();
    await hearEachOther(caller, taken);
    const late = await ringing.phone.call(taker.intercom, {
      headers: [['Replaces', `${dialogOf(taken)};early-only`]],
    });
    expect(await late.finished()).toBe(486);
    const over = await taker.phone.call(ringing.intercom, { headers: [['Replaces', replaces]] });
    expect(await over.finished()).toBe(481);
    await taken.hangUp();
    await caller.ended();
    const record = await bed.record(caller);
    expect(record).toMatchObject({ outcome: 'answered', answered_by: eidOf(taker.intercom) });
    expect(codes(record)).toContain('picked-up');
  });

  it('takes an answered call over to another phone; strangers and malformed ones are refused', async () => {
    const { caller, leg, colleague } = await talk();
    const headers = (text: string) => ({ headers: [['Replaces', text]] as const });
    const stranger = await bed.dial(colleague.intercom, headers(dialogOf(leg)));
    expect(await stranger.finished()).toBe(481);
    const malformed = await colleague.phone.call('x', headers('only-a-call-id'));
    expect(await malformed.finished()).toBe(400);
    const taken = await colleague.phone.call('x', headers(dialogOf(leg)));
    await taken.answered();
    expect(await leg.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    await hearEachOther(caller, taken);
    await caller.hangUp();
    await taken.ended();
    expect(codes(await bed.record(caller))).toContain('party-replaced');
  });
});

describe('a consultation by request', () => {
  const ask = async (path: string, body: object) => {
    const reply = await bed.api('POST', path, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  };

  it('holds the caller, and joins caller and colleague when it is completed', async () => {
    const { caller, agent, leg, colleague } = await talk();
    await hearEachOther(caller, leg);
    const { id } = await liveOf(caller);
    const destination = extension(colleague.intercom);
    const { consultation } = await ask('/v1/call/transfer', { call_id: id, destination, consult: true });
    const far = await (await colleague.phone.incoming()).answer();
    await hearEachOther(leg, far);
    expect(await liveOf(caller)).toMatchObject({ id, consultation });
    const refused = await bed.api('POST', '/v1/call/transfer', { call_id: id, destination });
    expect([refused.status, refused.json.Code]).toEqual([409, 'call_consulting']);
    await ask('/v1/call/transfer/complete', { call_id: id });
    expect(await leg.ended()).toMatchObject({ by: 'peer', how: 'bye' });
    await hearEachOther(caller, far);
    const nothing = await bed.api('POST', '/v1/call/transfer/cancel', { call_id: consultation });
    expect([nothing.status, nothing.json.Code]).toEqual([409, 'call_not_consulting']);
    await caller.hangUp();
    await far.ended();
    const record = await bed.record(agent.intercom);
    expect(record).toMatchObject({
      id: consultation,
      transferred_from: { call_id: id, attended: true, by: { kind: 'operator' } },
    });
  });

  it('brings the agent back when it is cancelled, or when the colleague hangs up', async () => {
    const { caller, leg, colleague } = await talk();
    const { id } = await liveOf(caller);
    const order = { call_id: id, destination: extension(colleague.intercom), consult: true };
    await ask('/v1/call/transfer', order);
    const rung = await colleague.phone.incoming();
    rung.ring();
    await ask('/v1/call/transfer/cancel', { call_id: id });
    expect(await rung.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    await hearEachOther(caller, leg);
    await ask('/v1/call/transfer', order);
    const far = await (await colleague.phone.incoming()).answer();
    await hearEachOther(leg, far);
    await far.hangUp();
    await hearEachOther(caller, leg);
    await caller.hangUp();
    await leg.ended();
    const record = await bed.record(caller);
    expect(codes(record).filter((code) => code.startsWith('consultation-'))).toEqual([
      'consultation-started',
      'consultation-ended',
      'consultation-started',
      'consultation-ended',
    ]);
  });

  it('is refused while a third party rings into the call', async () => {
    const { caller, leg, colleague } = await talk();
    const { id } = await liveOf(caller);
    await ask('/v1/call/add', { call_id: id, number: colleague.intercom });
    const rung = await colleague.phone.incoming();
    const order = { call_id: id, destination: extension(colleague.intercom), consult: true };
    const refused = await bed.api('POST', '/v1/call/transfer', order);
    expect([refused.status, refused.json.Code]).toEqual([409, 'call_three_way']);
    await hearEachOther(caller, leg);
    await caller.hangUp();
    await Promise.all([leg.ended(), rung.ended()]);
  });
});
