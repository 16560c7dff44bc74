// Ten, twenty and thirty percent of all UDP lost both ways, between two network namespaces (R12). CALLS=500 is the long run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call } from '../support/service.ts';
import { TONE_HZ, TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import type { CallerAnswer } from './support/caller-process.ts';
import { leftovers, NOTHING_LEFT } from './support/metrics.ts';
import { namespacesMissing } from './support/needs.ts';
import { Village } from './support/village.ts';

const CALLS = Number(process.env['CALLS'] ?? 200);
const PER_SECOND = 8;
const RATES = [
  { percent: 10, completed: 0.995 },
  { percent: 20, completed: 0.985 },
  { percent: 30, completed: 0.93 },
] as const;
/** Keys are repeated in many packets: of 10 percent loss nothing may be noticed. */
const KEYS_EXACT = 0.999;

describe.skipIf(namespacesMissing())('loss', () => {
  const villages: Village[] = [];
  let pbx: Pbx;
  let answers: CallerAnswer[];

  beforeAll(async () => {
    for (const { percent } of RATES) {
      const village = new Village();
      villages.push(village);
      village.lose(percent);
    }
    const [first] = villages;
    if (first === undefined) throw new Error('no village');
    const addresses = villages.map((village) => village.there());
    pbx = await startPbx({
      ...TONE_SERVICE,
      env: { SIP_HOST: first.here, RTP_PORTS: '20000-24999' },
      menus: { tone: { option: ['1', '2', '3', '4'], destination: Array(4).fill('ivr||tone') } },
      trunks: { villages: { addresses, max_calls: 5_000 } },
    });
  });
  afterAll(async () => {
    await pbx?.remove();
    for (const village of villages) village.remove();
  });

  it(`${CALLS} calls at each rate: enough of them complete`, async () => {
    const question = {
      server: pbx.sip,
      number: TONE_NUMBER,
      hz: TONE_HZ,
      calls: CALLS,
      perSecond: PER_SECOND,
      keys: 4,
    };
    const withinMs = 900_000 + (CALLS / PER_SECOND) * 1_000;
    answers = await Promise.all(
      villages.map((village) =>
        village.program<CallerAnswer>('caller-process', { ...question, host: village.there() }, withinMs),
      ),
    );
    for (const [index, { percent, completed }] of RATES.entries()) {
      const { completed: count = 0, failures = [] } = answers[index] ?? {};
      console.log(`${percent} % loss: ${count} of ${CALLS} calls completed`, failures);
      expect(count, `at ${percent} % loss: ${failures.join('; ')}`).toBeGreaterThanOrEqual(
        Math.floor(CALLS * completed),
      );
    }
  });

  it('leaves no call, dialog, stream or transaction behind', async () => {
    expect(await leftovers(pbx, 75_000)).toEqual(NOTHING_LEFT);
  });

  it('every key arrived once and in order at 10 %', async () => {
    const heard = await keysHeard(pbx);
    for (const [index, { percent }] of RATES.entries()) {
      const pressed = Object.entries(answers[index]?.pressed ?? {});
      const wrong = pressed.filter(([callId, keys]) => heard.get(callId) !== keys);
      console.log(
        `${percent} % loss: the keys of ${pressed.length - wrong.length} of ${pressed.length} calls are exact`,
        wrong.slice(0, 5).map(([callId, keys]) => `${keys} came as ${heard.get(callId)}`),
      );
      if (percent === 10)
        expect(pressed.length - wrong.length).toBeGreaterThanOrEqual(Math.ceil(pressed.length * KEYS_EXACT));
    }
  });
});

/** By Call-ID, from the records of all calls. */
async function keysHeard({ url }: Pbx): Promise<Map<string, string>> {
  const heard = new Map<string, string>();
  let path = '/v1/call/records?limit=100';
  for (;;) {
    const { json } = await call(url, 'GET', path);
    for (const { id } of json.data) {
      const { json: whole } = await call(url, 'GET', `/v1/call/records/${id}`);
      heard.set(whole.sip_call_id, whole.events.map((event: { key?: string }) => event.key ?? '').join(''));
    }
    if (json.next_cursor === null) return heard;
    path = `/v1/call/records?limit=100&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
}
