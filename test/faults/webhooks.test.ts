// The service is killed again and again while webhooks are in flight. Every event that was stored arrives, at least once and
// always with the same id and body; every event of a call whose record is there was stored; a call's events keep their order.
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { call as ask, type Json, type Service, startService } from '../support/service.ts';
import { between, ms, ROUNDS, report, sleep, waitUntil } from './support/rounds.ts';

const PHONES = 8;
/** Calls that are over before a kill; on a busy machine it takes longer. */
const ENDED = 4;
/** A lease ends after 17 s; then a failed delivery waits for its next try. */
const QUIET_MS = 60_000;
const ENV = { ...REACHABLE, SIP: 'on', SIP_PORT: '0' };

/** Steps of a record that are told as they happen; beside them the end. */
const TOLD: Readonly<Record<string, string>> = {
  'call-started': 'call.received',
  arrived: 'call.menu_entered',
  'key-pressed': 'call.key',
  'option-matched': 'call.option',
};

it(`no event is lost, changed or out of order when the service is killed ${ROUNDS} times`, async () => {
  const receiver = await startReceiver();
  // Answers are late, so that a kill finds deliveries under way, and some fail.
  receiver.answer = async () => {
    await sleep(between(0, 40));
    return Math.random() < 0.05 ? 500 : 204;
  };
  const pbx = await startPbx({
    env: REACHABLE,
    menus: {
      main: { option: ['1'], destination: ['ivr||two'], timeout: 30 },
      two: { timeout: 30 },
    },
    numbers: { '100': 'ivr||main' },
  });
  let service: Service = pbx;
  try {
    const made = await ask(service.url, 'POST', '/v1/webhook', { body: { name: 'x', url: receiver.url } });
    expect(made.status, made.text).toBe(201);
    for (let round = 0; round < ROUNDS; round++) {
      await callUntilKilled(service, receiver);
      service = await startService({ dataDir: pbx.dataDir, env: ENV });
    }
    const path = `/v1/webhook/${made.json.id}/deliveries?limit=500`;
    const began = performance.now();
    await waitUntil('nothing waits', async () => (await waiting(service)) === 0, QUIET_MS, 200).catch(
      async () => {
        const left = await all(service, `${path}&state=waiting`);
        throw new Error(`After ${QUIET_MS} ms there wait: ${JSON.stringify(left.slice(-5))}`);
      },
    );
    const quietMs = performance.now() - began;
    const deliveries = await all(service, path);
    const records = await all(service, '/v1/call/records?limit=500');
    const calls = await Promise.all(
      records.map(async ({ id }) => (await ask(service.url, 'GET', `/v1/call/records/${id}`)).json),
    );
    judge(receiver, deliveries, calls);
    const repeated = receiver.deliveries.length - deliveries.length;
    report(
      `webhooks: ${ROUNDS} kills, ${calls.length} calls, ${deliveries.length} events, 0 lost, ${repeated} sent more than once, quiet after ${ms(quietMs)}`,
    );
    expect(calls.length).toBeGreaterThan(ROUNDS);
    expect(repeated, 'no kill met a delivery under way').toBeGreaterThan(0);
  } finally {
    await service.stop('SIGKILL');
    await receiver.close();
    rmSync(pbx.dataDir, { recursive: true, force: true });
  }
});

function judge(receiver: Receiver, deliveries: readonly Json[], calls: readonly Json[]): void {
  expect(deliveries.filter(({ state }) => state !== 'done')).toEqual([]);
  const bodies = new Map<string, string>();
  const order = new Map<string, string[]>();
  for (const { event, text, headers } of receiver.deliveries) {
    expect(headers['webhook-id']).toBe(event.id);
    expect(bodies.get(event.id) ?? text, 'the same body at every try').toBe(text);
    if (!bodies.has(event.id))
      order.set(event.data.call.id, [...(order.get(event.data.call.id) ?? []), event.id]);
    bodies.set(event.id, text);
  }
  expect(deliveries.filter(({ event_id: id }) => !bodies.has(id))).toEqual([]);
  expect(bodies.size, 'nothing arrived that was not stored').toBe(deliveries.length);
  for (const ids of order.values()) expect(ids).toEqual(ids.toSorted());
  for (const { id, steps, end_code: endCode } of calls) {
    const expected = steps.flatMap(({ code }: Json) => TOLD[code] ?? []);
    const told = (order.get(id) ?? []).map((event) => JSON.parse(bodies.get(event) ?? '{}').type);
    // A call that a kill cut off has no steps in its record; that it is over is told once, after whatever was told.
    if (endCode === 'interrupted')
      expect(told.filter((type) => type === 'call.ended' || type === told.at(-1))).toEqual(['call.ended']);
    else expect(told, JSON.stringify(steps)).toEqual([...expected, 'call.ended']);
  }
}

/** Callers on every line; after some calls the service is killed at a random moment, and all lines are dropped. */
async function callUntilKilled(service: Service, { deliveries }: Receiver): Promise<void> {
  const server = sipOf(service);
  let alive = true;
  const phones = await Promise.all(
    Array.from({ length: PHONES }, (_, index) => Phone.open({ user: `70${index}`, server })),
  );
  const refused: unknown[] = [];
  const calls = async (phone: Phone): Promise<void> => {
    while (alive) {
      const call = await phone.call('100');
      await call.answered();
      await call.pressKeys('1');
      await call.hangUp();
    }
  };
  const calling = phones.map((phone) => calls(phone).catch((error) => alive && refused.push(error)));
  const before = deliveries.length;
  const ended = (): number =>
    deliveries.slice(before).filter(({ event }) => event.type === 'call.ended').length;
  await waitUntil('some calls are over', () => ended() >= ENDED, 60_000, 20);
  await sleep(between(0, 300));
  alive = false;
  await service.stop('SIGKILL');
  for (const phone of phones) phone.close();
  await Promise.race([Promise.all(calling), sleep(500)]);
  expect(refused).toEqual([]);
}

function sipOf({ log }: Service): { host: string; port: number } {
  const line = log.find((each) => each.includes('"msg":"listening"')) ?? '{}';
  const udp = (JSON.parse(line) as { sip?: string[] }).sip?.find((each) => each.startsWith('udp '));
  return { host: '127.0.0.1', port: Number(udp?.split(':').at(-1)) };
}

async function waiting({ url }: Service): Promise<number> {
  const { text } = await ask(url, 'GET', '/metrics');
  return Number(/^dialtree_outbox_jobs\{lane="webhook",state="waiting"\} (\d+)$/m.exec(text)?.[1] ?? -1);
}

async function all({ url }: Service, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let next = path; next !== ''; ) {
    const { json, headers } = await ask(url, 'GET', next);
    found.push(...json.data);
    next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  return found;
}
