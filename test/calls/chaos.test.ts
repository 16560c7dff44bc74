// Callers and agents who do anything at any time. Whatever they do, nothing may be left of it: no call, no leg, no stream, no
// agent who is busy for ever. CHAOS_CALLS raises the count, CHAOS_SEED repeats a run.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const CALLS = Number(process.env['CHAOS_CALLS'] ?? 60);
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() & 0xffff);
const AT_ONCE = 6;
const AGENTS = ['1001', '1002', '1003', '1004'];
const { recordings } = tones(150, 'prompt', 'invalid', 'retry', 'timeout');
let bed: PhoneBed;
let over = false;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    settings: { ring_seconds: 5 },
    agents: Object.fromEntries(AGENTS.map((each) => [each, { failover_destination: 'ivr||main' }])),
    departments: { all: { agents: AGENTS.map((each) => `9${each}`), failover_destination: 'ivr||main' } },
    menus: {
      main: {
        option: AGENTS.map((_, index) => String(index + 1)),
        destination: AGENTS.map(extension),
        timeout: 1,
      },
    },
    numbers: {
      '100': 'ivr||main',
      '200': 'department||all',
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
    },
  });
});

afterAll(() => bed.close());

/** Mulberry32: the same seed, the same misbehaviour. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(SEED);
const pick = <T>(all: readonly [T, ...T[]]): T => all[Math.floor(random() * all.length)] ?? all[0];
const pause = (mostMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, random() * mostMs));

/** What either side of an answered call may do. */
async function misbehave(call: PhoneCall): Promise<void> {
  for (let acts = Math.floor(random() * 3); acts > 0 && call.end === null; acts--) {
    await pause(150);
    await pick<() => Promise<unknown>>([
      () => call.pressKeys(pick(['1', '2', '4', '9#', '*'])),
      () => call.hold(),
      () => call.resume(),
      () => call.reinvite(''),
      () => call.update({}),
      () => call.refer(pick(['100', '1002', '+49123', '7'])),
      () => call.info('3'),
    ])().catch(() => undefined);
  }
  await pause(200);
}

async function attend(phone: Phone): Promise<void> {
  while (!over) {
    const call = await phone.incoming({ withinMs: 500 }).catch(() => null);
    if (call) void serve(call).catch(() => undefined);
  }
}

async function serve(call: PhoneCall): Promise<void> {
  await pause(100);
  if (random() < 0.7) call.ring();
  await pause(200);
  const what = random();
  if (what < 0.25 && call.end === null) call.reject(pick([486, 603, 404, 500, 302]));
  else if (what < 0.85) {
    await call.answer();
    await misbehave(call);
    if (random() < 0.5) await call.hangUp();
  }
}

async function callUp(): Promise<void> {
  const call = await bed.dial(pick(['100', '200', '71001', '71002', '71003', '71004', '999']));
  await pause(random() < 0.3 ? 20 : 400);
  if (call.status === 200) await misbehave(call);
  await call.hangUp();
}

it(
  `leaves nothing behind after ${CALLS} calls of people who do anything at any time (seed ${SEED})`,
  async () => {
    const phones = await Promise.all(AGENTS.flatMap((each) => [bed.agent(each), bed.agent(each)]));
    const attending = phones.map(attend);
    let left = CALLS;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await callUp();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    over = true;
    await Promise.all(attending);
    await Promise.all(
      phones.flatMap(({ calls }) => calls.map((call) => call.hangUp().catch(() => undefined))),
    );
    await bed.idle();
    // No agent is busy: every phone rings again.
    for (const [index, intercom] of AGENTS.entries()) {
      const phone = phones[index * 2];
      const call = await bed.dial(`7${intercom}`);
      const incoming = await phone?.incoming();
      expect(incoming?.invite).not.toBeNull();
      await call.hangUp();
      await incoming?.ended();
    }
  },
  120_000 + CALLS * 1_000,
);
