// What our own side says of a call: its record, and that nothing is left of it.
import type { Pbx } from '../../support/pbx.ts';
import { eventually } from '../../support/phone/eventually.ts';
import { call, type Json } from '../../support/service.ts';

const GAUGES = ['calls', 'legs', 'media_streams', 'call_records_waiting'] as const;

export async function gauge(pbx: Pbx, name: string): Promise<number> {
  const { text } = await call(pbx.url, 'GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`dialtree_${name} `));
  return Number(line?.split(' ')[1] ?? Number.NaN);
}

/** Records of calls by this caller, newest first: each test has a caller of its own. */
export async function recordsOf(pbx: Pbx, caller: string): Promise<Json[]> {
  const { json } = await call(pbx.url, 'GET', '/v1/call/records?limit=100');
  return json.data.filter((record: Json) => record.caller === caller);
}

/** The whole record of the caller's only call, once it is written. */
export async function recordOf(pbx: Pbx, caller: string, withinMs = 30_000): Promise<Json> {
  const found = await polled(
    async () => (await recordsOf(pbx, caller))[0],
    withinMs,
    () => `there is no record of a call by ${caller}; the service said:\n${pbx.log.join('\n')}`,
  );
  const { json } = await call(pbx.url, 'GET', `/v1/call/records/${found.id}`);
  return json;
}

/** Waits until no call, leg or stream is left, for less than RTP_TIMEOUT_SECONDS, which releases a leg that was forgotten. */
export async function nothingLeft(pbx: Pbx, withinMs = 20_000): Promise<void> {
  let seen: string[] = [];
  await polled(
    async () => {
      const values = await Promise.all(GAUGES.map((name) => gauge(pbx, name)));
      seen = GAUGES.map((name, index) => `${name} ${values[index]}`);
      return values.every((value) => value === 0) || undefined;
    },
    withinMs,
    () => `something is left: ${seen.join(', ')}`,
  );
}

/** SIP transactions go when their timers (D, H, I, J, K: at most 32 s) say so. */
export async function noTransactions(pbx: Pbx, withinMs = 40_000): Promise<void> {
  let count = Number.NaN;
  await polled(
    async () => {
      count = await gauge(pbx, 'sip_transactions');
      return count === 0 || undefined;
    },
    withinMs,
    () => `${count} SIP transactions are left`,
  );
}

async function polled<T>(
  look: () => Promise<T | undefined>,
  withinMs: number,
  otherwise: () => string,
): Promise<T> {
  let found: T | undefined;
  let over = false;
  const watch = (async () => {
    while (!over && found === undefined) {
      found = await look();
      if (found === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  try {
    return await eventually(() => found, { withinMs }, otherwise);
  } finally {
    over = true;
    await watch;
  }
}
