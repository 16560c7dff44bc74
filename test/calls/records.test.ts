// What real calls leave behind: records that filters find, statistics that agree with them, and after kill -9 the calls that ran
// (docs/threat-model.md R5).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extension } from '../support/pbx.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'invalid');
let bed: PhoneBed;
let again: Service | undefined;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  bed = await PhoneBed.open({
    env: REACHABLE,
    recordings,
    agents: { '1001': {} },
    menus: {
      main: {
        recording: 'recording||prompt',
        invalid_recording: 'recording||invalid',
        timeout: 60,
        incorrect_count: 2,
        option: ['1'],
        destination: [extension('1001')],
      },
    },
    numbers: { '100': 'ivr||main' },
  });
});
afterAll(async () => {
  await again?.stop();
  for (const phone of bed?.phones ?? []) phone.close();
  await bed?.pbx.remove();
  await receiver?.close();
});

test('a caller who is wrong once, chooses and is answered, and one who hangs up at the prompt', async () => {
  const phone = await bed.agent('1001');
  const talking = await bed.choose('100', hz.prompt, '9');
  await talking.hears(hz.invalid, { forMs: 80 });
  await talking.pressKeys('1');
  const incoming = await phone.incoming();
  await incoming.answer();
  await bed.until('a connected call', async () => (await bed.metric('dialtree_legs')) === 2);
  await talking.hangUp();
  const answered = await bed.record(talking);
  const leaving = await bed.reach('100');
  await leaving.hears(hz.prompt, { forMs: 40 });
  await leaving.hangUp();
  const left = await bed.record(leaving);

  expect(answered).toMatchObject({ outcome: 'answered', answered_by: '91001' });
  expect(left).toMatchObject({ outcome: 'abandoned' });
  const idsOf = async (query: string) =>
    (await bed.api('GET', `/v1/call/records?${query}`)).json.data.map(({ id }: Json) => id);
  expect(await idsOf('ivr=main')).toEqual([left.id, answered.id]);
  expect(await idsOf('involved=91001')).toEqual([answered.id]);
  expect(await idsOf('agent=91001&outcome=answered&number=100')).toEqual([answered.id]);
  expect(await idsOf(`caller=${left.caller}`)).toEqual([left.id]);
  const { totals } = (await bed.api('GET', '/v1/ivr/main/statistics?by=none')).json;
  expect(totals).toMatchObject({
    visits: 2,
    chosen: 1,
    options: { '1': 1 },
    invalid: 1,
    abandoned: 1,
    abandoned_at: { prompt: 1 },
    time_to_key: { count: 1 },
  });
});

test('kill -9: the next start records the calls that ran as interrupted and publishes their end, once', async () => {
  const hook = { name: 'x', url: receiver.url, events: ['call.ended'] };
  expect((await bed.api('POST', '/v1/webhook', hook)).status).toBe(201);
  const call1 = await bed.reach('100');
  await call1.hears(hz.prompt, { forMs: 40 });
  const phone = await bed.agent('1001');
  const talking = await bed.choose('100', hz.prompt, '1');
  await (await phone.incoming()).answer();
  // The journal is written every 200 ms; the prompt and the answer took their time, too.
  await bed.until('a journal', async () => journalHas(bed.pbx.dataDir, `"caller":"${callerOf(call1)}"`));
  await bed.until('the answer in it', async () => journalHas(bed.pbx.dataDir, '"eid":"91001"'));
  // Its time is that of the last sign of life of the process, every two seconds.
  await sleep(2_500);
  await bed.pbx.stop('SIGKILL');
  const journal = join(bed.pbx.dataDir, journalIn(bed.pbx.dataDir) ?? '');
  const lastSignMs = statSync(journal).mtimeMs;
  const entries: Json[] = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}') || line.endsWith(']'))
    .map((line) => JSON.parse(line));
  const records = async (service: Service): Promise<Json[]> =>
    (await call(service.url, 'GET', '/v1/call/records?end_code=interrupted')).json.data;
  for (let start = 1; start <= 2; start++) {
    const env = { ...REACHABLE, SIP: 'on', SIP_PORT: '0' };
    again = await startService({ dataDir: bed.pbx.dataDir, env });
    const next = again;
    const [conversation, record, ...more] = await bed.until('two records', async () => {
      const found = await records(next);
      return found.length > 1 && found;
    });
    const known = { outcome: 'interrupted', cause: 41, dialled: '100', entry: 'ivr||main' };
    expect(record).toMatchObject({ ...known, answered_by: null, talk_ms: 0 });
    expect(more).toEqual([]);
    expect(conversation).toMatchObject({ ...known, caller: callerOf(talking), answered_by: '91001' });
    const [startedMs, endedMs] = [conversation?.started_at, conversation?.ended_at].map(Date.parse);
    expect(Math.round(lastSignMs) - Number(endedMs)).toBe(0);
    const answer = entries.find((entry) => Array.isArray(entry) && entry[0] === conversation?.id);
    expect(conversation?.talk_ms).toBe(Number(endedMs) - Number(startedMs) - answer?.[1].atMs);
    // It was killed more than two seconds after the answer, and the file is touched every two.
    expect(conversation?.talk_ms).toBeGreaterThan(0);
    const delivered = await receiver.until(2);
    const ofTalk = delivered.find(({ event }) => event.data.call.id === conversation?.id);
    const { talk_ms } = conversation ?? {};
    expect(ofTalk?.event.data).toMatchObject({
      outcome: 'interrupted',
      answered_by: '91001',
      talk_ms,
      end: { code: 'interrupted' },
    });
    expect(await again.stop()).toBe(0);
  }
  expect(receiver.deliveries).toHaveLength(2);
});

const journalIn = (folder: string): string | undefined =>
  readdirSync(folder).find((one) => one.startsWith('running-calls-'));

async function journalHas(folder: string, text: string): Promise<boolean> {
  const name = journalIn(folder);
  return name !== undefined && readFileSync(join(folder, name), 'utf8').includes(text);
}
