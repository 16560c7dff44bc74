// What an agent sees of calls: the own ones, the earlier ones of who calls, and the messages in the own box.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from '../api/support/browser.ts';
import { invited, makeOwner } from '../api/support/people.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { Json, Reply } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(300, 'greeting', 'caller');
const OWN = `/v1/agent/${eidOf('1001')}`;
const OTHER = `/v1/agent/${eidOf('1002')}`;

let bed: PhoneBed;
let agent: Browser;
let caller = '';

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: { '1001': {}, '1002': {} },
    numbers: { '701': extension('1001'), '702': extension('1002') },
  });
  const [own, other] = await Promise.all(
    ['Own', 'Other'].map((name) =>
      bed.api('POST', '/v1/voicemail_box', { name, greeting: 'recording||greeting' }),
    ),
  );
  for (const [path, box] of [
    [OWN, own?.json.id],
    [OTHER, other?.json.id],
  ])
    await bed.api('PATCH', path, { failover_destination: `voicemail||${box}` });
  await bed.api('POST', '/v1/number', { number: '801', destination: `voicemail||${own?.json.id}` });
  await bed.api('POST', '/v1/number', { number: '802', destination: `voicemail||${other?.json.id}` });
  const owner = await makeOwner(bed.pbx);
  agent = await invited(bed.pbx, owner, 'agent', { agent: eidOf('1001') });

  const phone = await bed.agent('1001');
  const second = await bed.agent('1002');
  for (const [number, at] of [
    ['701', phone],
    ['702', second],
  ] as const) {
    const call = await bed.dial(number, caller === '' ? {} : { phone: { user: caller } });
    caller = callerOf(call);
    await (await at.incoming()).answer();
    await call.answered();
    await call.hangUp();
    await bed.record(call);
  }
});

afterAll(() => bed.close());

const ask = (path: string, method = 'GET'): Promise<Reply> => agent.ask(method, path, { account: 'default' });
const rows = async (path: string): Promise<Json[]> => (await ask(path)).json.data;

it('the own calls, and none of a colleague', async () => {
  const calls = await rows(`${OWN}/calls`);
  expect(calls.map(({ dialled }) => dialled)).toEqual(['701']);
  expect((await ask(`${OTHER}/calls`)).json).toMatchObject({ Code: 'role_refused' });
});

it('calls that the agent made', async () => {
  const [phone, colleague] = ['1001', '1002'].map((name) => bed.phones.find(({ user }) => user === name));
  const call = await phone?.call('702');
  // Before the challenge is answered there is no call, and no record.
  await colleague?.incoming();
  await call?.hangUp();
  await expect
    .poll(async () => (await rows(`${OWN}/calls`)).map(({ dialled }) => dialled))
    .toEqual(['702', '701']);
});

it('all earlier calls of a caller whom the agent has talked with, and none of a stranger’s', async () => {
  const earlier = async () =>
    (await rows(`${OWN}/earlier_calls?caller=${caller}`)).map(({ dialled }) => dialled);
  await expect.poll(earlier).toEqual(['702', '701']);
  const stranger = await bed.dial('702');
  await bed.phones.find(({ user }) => user === '1002')?.incoming();
  const number = callerOf(stranger);
  await stranger.hangUp();
  await bed.record(stranger);
  expect(await rows(`${OWN}/earlier_calls?caller=${number}`)).toEqual([]);
  // Nor while the same number rings or talks elsewhere.
  const again = await bed.dial('702', { phone: { user: number } });
  const atOther = await bed.phones.find(({ user }) => user === '1002')?.incoming();
  const live = await bed.until('ringing', async () => {
    const { json } = await bed.api('GET', '/v1/live_calls');
    return json.data.find((each: Json) => each.caller === number && each.state === 'ringing') ?? null;
  });
  expect(await rows(`${OWN}/earlier_calls?caller=${number}`)).toEqual([]);
  expect(live.ringing).toEqual([eidOf('1002')]);
  await atOther?.answer();
  await again.answered();
  expect(await rows(`${OWN}/earlier_calls?caller=${number}`)).toEqual([]);
  await again.hangUp();
  await bed.record(again);
  const own = await bed.dial('701', { phone: { user: number } });
  await bed.phones.find(({ user }) => user === '1001')?.incoming();
  await expect.poll(async () => (await rows(`${OWN}/earlier_calls?caller=${number}`)).length).toBe(2);
  await own.hangUp();
  await bed.record(own);
  expect(await rows(`${OWN}/earlier_calls`)).toEqual([]);
  // What colleagues dial is theirs, and so is what the agent dials.
  expect(await rows(`${OWN}/earlier_calls?caller=1001`)).toEqual([]);
});

it('the messages in the own box: heard, marked, and none of another', async () => {
  for (const number of ['801', '802']) {
    const call = await bed.reach(number);
    await call.hears(hz.greeting, { forMs: 60 });
    await call.hearsSilence(1_000);
    await call.sendTone(hz.caller, 1_500);
    await call.hangUp();
  }
  const all = await bed.until('two messages', async () => {
    const { json } = await bed.api('GET', '/v1/voicemails');
    return json.data.length === 2 ? (json.data as Json[]) : null;
  });
  const [message] = await rows(`${OWN}/voicemails`);
  const foreign = all.find(({ id }) => id !== message?.id);
  expect(message).toMatchObject({ heard: false });
  expect((await ask(`${OWN}/voicemail/${message?.id}/audio`)).status).toBe(200);
  expect((await ask(`${OWN}/voicemail/${message?.id}/heard`, 'POST')).status).toBe(200);
  expect((await rows(`${OWN}/voicemails`))[0]).toMatchObject({ heard: true });
  for (const [path, method] of [
    ['audio', 'GET'],
    ['heard', 'POST'],
  ] as const)
    expect((await ask(`${OWN}/voicemail/${foreign?.id}/${path}`, method)).status).toBe(404);
  expect((await ask(`${OTHER}/voicemail/${foreign?.id}/audio`)).json).toMatchObject({ Code: 'role_refused' });
});

it('an agent who gets the number of another sees none of the calls that the other made', async () => {
  const phone = bed.phones.find(({ user }) => user === '1001');
  const call = await phone?.call('801');
  await call?.answered();
  await call?.hangUp();
  const dialled = async (path: string): Promise<string[]> =>
    (await bed.api('GET', `${path}/calls`)).json.data.map((each: Json) => each.dialled);
  await expect.poll(() => dialled(OWN)).toContain('801');
  for (const [path, intercom] of [
    [OWN, '1011'],
    [OTHER, '1001'],
  ] as const)
    expect((await bed.api('PATCH', path, { intercom })).status).toBe(200);
  expect(await dialled(OTHER)).not.toContain('801');
  expect(await dialled(OWN)).toContain('801');
});
