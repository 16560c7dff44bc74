// Calls of a month as the service would have written them, for bench/records.ts: the same seed makes the same calls.
import { newId } from '../src/domain/id.ts';
import type { CallRow } from '../src/storage/ports/calls.ts';

export const START_MS = Date.parse('2026-10-01T00:00:00Z');
export const SPAN_MS = 30 * 86_400_000;
export const CALLERS = 200_000;

/** mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const line = (atMs: number, node: string | null, code: string, text: string, more: object = {}) => ({
  atMs,
  node,
  code,
  text,
  ...more,
});

/** Small numbers far more often than large ones. */
const skewed = (random: () => number, below: number): number => Math.floor(random() ** 3 * below);

export function madeCall(random: () => number, accountId: string, startedAtMs: number): CallRow {
  const id = newId(startedAtMs);
  const ivr = `ivr||menu-${skewed(random, 20)}`;
  const department = `department||dept-${skewed(random, 10)}`;
  const agents = [1, 2].map(() => `extension||${100_000 + skewed(random, 50)}`);
  const caller = `+4930${String(skewed(random, CALLERS)).padStart(7, '0')}`;
  const dialled = String(100 + skewed(random, 20));
  const direction = random() < 0.02 ? 'outbound' : 'inbound';
  const fate = random();
  const keyMs = Math.round(300 + random() * 6000);
  const trail = [
    line(0, null, 'call-started', `A call from ${caller} to ${ivr}.`, { destination: ivr }),
    line(0, ivr, 'arrived', 'Arrives at the menu “Main menu”.'),
    line(1, null, 'answered', 'The call is answered.'),
    line(1, ivr, 'playing', 'Plays the menu: “Welcome”.', { recording: 'welcome' }),
  ];
  const answeredBy = fate < 0.55 ? (agents[1]?.slice(11) ?? null) : null;
  if (fate < 0.85) {
    const key = String(1 + skewed(random, 4));
    const atMs = keyMs;
    trail.push(
      line(atMs, ivr, 'key-pressed', `The caller pressed ${key}.`, { keys: key }),
      line(
        atMs,
        ivr,
        'option-matched',
        `Option ${key} leads to ${department}: no longer option begins like this.`,
        { keys: key, destination: department },
      ),
      line(atMs, department, 'arrived', 'Arrives at the department “Support”.'),
      line(atMs, department, 'ringing', `Rings ${agents[0]} on 1001 for 25 s.`, { rung: [agents[0]] }),
      line(atMs + 9000, agents[0] ?? null, 'agent-busy', '1001 is busy.'),
      line(atMs + 9000, department, 'ringing', `Rings ${agents[1]} on 1002 for 25 s.`, { rung: [agents[1]] }),
    );
    if (answeredBy !== null)
      trail.push(
        line(atMs + 12_000, agents[1] ?? null, 'connected', '1002 answered: both sides are connected.'),
      );
  } else if (fate < 0.9) trail.push(line(8000, ivr, 'waiting', 'Waits 5 s for a key.'));
  const talkMs = answeredBy === null ? 0 : Math.round(random() ** 2 * 600_000);
  const endedAtMs = startedAtMs + 15_000 + talkMs;
  const endCode = fate > 0.9999 ? 'hop-limit' : answeredBy === null ? 'caller-hung-up' : 'agent-hung-up';
  trail.push(line(endedAtMs - startedAtMs, ivr, 'ended', 'The caller hung up. (normal-clearing, cause 16)'));
  const leg = {
    role: 'caller',
    number: caller,
    ended_by: 'peer',
    outcome: 'ended',
    status: 0,
    cause: 16,
    reason: '',
    packets_sent: 2900,
    packets_received: 2890,
    packets_lost: 1,
    jitter_ms: 2.5,
    one_way: false,
  };
  const events = trail.map(({ atMs }, index) => ({ type: 'playback-finished', playback: index, atMs }));
  const json = JSON.stringify({
    id,
    call_id: `${id}@192.0.2.1`,
    direction,
    caller,
    caller_name: random() < 0.3 ? `Caller ${skewed(random, 5000)}` : '',
    dialled,
    entry: ivr,
    trail,
    legs: [leg, { ...leg, role: 'called' }],
    events,
  });
  return {
    accountId,
    id,
    startedAtMs,
    endedAtMs,
    direction,
    caller,
    dialled,
    entry: ivr,
    endCode,
    cause: 16,
    answeredBy,
    waitMs: 0,
    ringMs: answeredBy === null ? 9000 : 12_000,
    talkMs,
    json,
  };
}
