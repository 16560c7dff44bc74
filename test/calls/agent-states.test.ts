// Star codes, pauses and states of agents over real sockets: by phone, by API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { recordings } = tones(400, 'agent');
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: { '1001': {}, '1002': {} },
    departments: {
      sales: { agents: [eidOf('1001'), eidOf('1002')], strategy: 'in_order', ring_seconds: 5 },
    },
    numbers: { '600': 'department||sales' },
  });
});

afterAll(() => bed.close());

const stateOf = async (intercom: string): Promise<Json> =>
  (await bed.api('GET', `/v1/agent/${eidOf(intercom)}/state`)).json;

it('an agent pauses and resumes by star code, hears it confirmed, and departments ring the others', async () => {
  const one = await bed.agent('1001');
  const two = await bed.agent('1002');
  expect(await stateOf('1001')).toMatchObject({ state: 'free', paused: null, signed_out: [] });

  const pause = await (await one.call('*463')).answered();
  await pause.ended({ withinMs: 30_000 });
  // Spoken words: neither silence nor one tone.
  expect(pause.heard().filter(({ hz }) => hz !== 'silence' && hz !== 'nothing').length).toBeGreaterThan(0);
  expect(await stateOf('1001')).toMatchObject({ state: 'paused', paused: { reason: '3' } });
  const record = await bed.record('1001');
  expect(record).toMatchObject({
    dialled: '*463',
    direction: 'internal',
    end_code: 'star-code-done',
    outcome: 'completed',
  });
  expect(record.steps[0]).toMatchObject({
    code: 'star-code',
    text: 'Star code *463. The agent is paused: 3.',
  });

  const caller = await bed.dial('600');
  const ringing = await two.incoming();
  expect(await stateOf('1002')).toMatchObject({ state: 'ringing' });
  await ringing.answer();
  await caller.answered();
  expect(await stateOf('1002')).toMatchObject({ state: 'talking' });
  await caller.hangUp();
  await ringing.ended();

  await (await (await one.call('*47')).answered()).ended({ withinMs: 30_000 });
  const again = await bed.dial('600');
  const first = await one.incoming();
  await again.hangUp();
  await first.ended();

  const { json } = await bed.api('GET', '/v1/agent_states?state=free');
  expect(json.data.map(({ eid }: Json) => eid).sort()).toEqual([eidOf('1001'), eidOf('1002')]);
});

it('the API pauses, signs out and in, and says why not', async () => {
  const path = `/v1/agent/${eidOf('1001')}`;
  const post = (what: string, body: object = {}) => bed.api('POST', `${path}/${what}`, body);
  expect((await post('pause', { reason: 'Lunch' })).status).toBe(200);
  expect(await stateOf('1001')).toMatchObject({ state: 'paused', paused: { reason: 'Lunch' } });
  expect((await post('resume')).status).toBe(200);
  expect((await post('sign_out')).status).toBe(200);
  expect((await stateOf('1001')).signed_out).toHaveLength(1);
  const { json: queue } = await bed.api('GET', '/v1/department/sales/queue');
  expect(queue.agents[0]).toMatchObject({ state: 'away', agent_state: 'free' });
  expect((await post('sign_in', { department: 'sales' })).status).toBe(200);
  expect((await stateOf('1001')).signed_out).toEqual([]);
  expect((await post('sign_in', { department: 'none' })).status).toBe(404);
  expect((await post('pause', { reason: 'x'.repeat(101) })).status).toBe(400);
  expect((await bed.api('POST', '/v1/agent/none/pause', {})).status).toBe(404);
});

it('codes are for agents alone', async () => {
  const stranger = await bed.dial('*46');
  expect(await stranger.finished()).toBe(404);
});
