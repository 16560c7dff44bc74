// R5: kill -9 with 50 calls, half of them in a menu, half bridged to agents; the next process takes over the data and the port.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { eidOf, extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { ms, sleep, waitUntil } from './support/rounds.ts';
import { readRows } from './support/sqlite-file.ts';

const EACH = 25;
/** One tick of /proc is 10 ms. */
const TICK_MS = 10;
const NO_SUCH_CALL = 481;

const { hz, recordings } = tones(400, 'prompt');
const intercoms = Array.from({ length: EACH }, (_, index) => String(1001 + index));
const numberOf = (intercom: string): string => `2${intercom}`;

async function open(): Promise<PhoneBed> {
  return PhoneBed.open({
    recordings,
    agents: Object.fromEntries(intercoms.map((intercom) => [intercom, {}])),
    menus: { main: { timeout: 60 } },
    numbers: {
      '100': 'ivr||main',
      ...Object.fromEntries(intercoms.map((intercom) => [numberOf(intercom), extension(intercom)])),
    },
  });
}

async function bridged(bed: PhoneBed, intercom: string): Promise<PhoneCall[]> {
  const agent = await bed.agent(intercom);
  const caller = await bed.dial(numberOf(intercom));
  const answered = await (await agent.incoming()).answer();
  return [await caller.answered(), answered];
}

/** What a phone does whose call is silent: it refreshes the session, and the answer ends the call. */
const refresh = async (talk: PhoneCall): Promise<number> =>
  (await talk.dialog.request('UPDATE', [])).status ?? 0;

/** The processor time of all its threads so far. */
function workOf({ process: { pid } }: Service): number {
  // Fields 14 and 15 (proc(5)); the second is the name in parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function startAgain(bed: PhoneBed): Promise<{ service: Service; readyMs: number; workMs: number }> {
  const startedMs = performance.now();
  const env = { SIP: 'on', SIP_PORT: String(bed.pbx.sip.port) };
  const service = await startService({ dataDir: bed.pbx.dataDir, env });
  await waitUntil(
    '/readyz',
    async () => (await call(service.url, 'GET', '/readyz')).status === 200,
    60_000,
    10,
  );
  return { service, readyMs: performance.now() - startedMs, workMs: workOf(service) };
}

it(`R5: ${2 * EACH} calls are cut by kill -9: recorded as interrupted, callers released, agents free`, async () => {
  const bed = await open();
  let next: Service | undefined;
  try {
    const menus: PhoneCall[] = [];
    for (let index = 0; index < EACH; index++) menus.push(await bed.reach('100'));
    const pairs: PhoneCall[][] = [];
    for (const intercom of intercoms) pairs.push(await bridged(bed, intercom));
    await menus.at(-1)?.hears(hz.prompt, { forMs: 80 });
    await bed.until('50 calls', async () => (await bed.metric('dialtree_calls')) === 2 * EACH);
    // Registrations are written after a second, the journal every 200 ms.
    const stored = () => readRows(bed.pbx.dataDir, 'SELECT agent FROM bindings').length === EACH;
    await waitUntil('stored registrations', stored, 60_000);
    await sleep(2_000);
    await bed.pbx.stop('SIGKILL');
    const killedMs = performance.now();
    const { service, readyMs, workMs } = await startAgain(bed);
    next = service;
    const legs = [...menus, ...pairs.flat()];
    const statuses = await Promise.all(legs.map(refresh));
    const releasedMs = performance.now() - killedMs;
    expect(statuses).toEqual(legs.map(() => NO_SUCH_CALL));
    const interrupted = async () =>
      (await call(service.url, 'GET', '/v1/call/records?end_code=interrupted&limit=100')).json.data.length;
    await waitUntil('the records', async () => (await interrupted()) === 2 * EACH, 60_000);
    const of = async (query: string): Promise<Json[]> =>
      (await call(service.url, 'GET', `/v1/call/records?outcome=interrupted&limit=100&${query}`)).json.data;
    const all = await of('');
    expect(all).toHaveLength(2 * EACH);
    const inMenu = all.find(({ dialled }) => dialled === '100');
    const { json: menu } = await call(service.url, 'GET', `/v1/call/records/${inMenu?.id}`);
    expect(menu.legs).toMatchObject([
      { role: 'caller', answered_at_ms: expect.any(Number), outcome: 'ended' },
    ]);
    expect(menu.steps[0].text).toMatch(/^A call from \S+ to “/);
    for (const intercom of intercoms) {
      const [record, ...more] = await of(`agent=${eidOf(intercom)}`);
      expect(record).toMatchObject({ dialled: numberOf(intercom), answered_by: eidOf(intercom) });
      expect(record?.talk_ms).toBeGreaterThan(0);
      expect(more).toEqual([]);
    }
    expect((await call(service.url, 'GET', '/v1/live_calls')).json.data).toEqual([]);
    // Every agent can be rung, where its phone had registered before.
    for (const intercom of intercoms) {
      const phone = bed.phones.find(({ user }) => user === intercom);
      const caller = await bed.dial(numberOf(intercom));
      const ringing = await phone?.incoming();
      await caller.hangUp();
      expect(await ringing?.ended()).toMatchObject({ how: 'cancel' });
    }
    figure(
      'R5',
      `${2 * EACH} calls cut: ready after ${ms(workMs)} of processor time (${ms(readyMs)} on this machine), all phones released after ${ms(releasedMs)}, ${2 * EACH} records "interrupted", ${EACH} of ${EACH} agents ring`,
    );
  } finally {
    for (const phone of bed.phones) phone.close();
    await next?.stop('SIGKILL');
    await bed.pbx.remove();
  }
});
