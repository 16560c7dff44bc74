// What the service says about itself, and waiting until it has nothing left to do.
import { readdirSync, readFileSync } from 'node:fs';
import type { Pbx } from '../../support/pbx.ts';
import { call, TOKEN } from '../../support/service.ts';

/** Values by name; a name with labels is its whole text. */
export async function metricsOf({ url }: Pick<Pbx, 'url'>): Promise<Map<string, number>> {
  const { text } = await call(url, 'GET', '/metrics', { token: TOKEN });
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ');
    if (line.startsWith('#') || space < 0) continue;
    values.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return values;
}

export async function metric(pbx: Pick<Pbx, 'url'>, name: string): Promise<number> {
  const value = (await metricsOf(pbx)).get(name);
  if (value === undefined) throw new Error(`There is no metric ${name}.`);
  return value;
}

/** What must be 0 when there are no calls. */
export const LEFTOVERS = [
  'dialtree_calls',
  'dialtree_legs',
  'dialtree_sip_transactions',
  'dialtree_media_streams',
  'dialtree_call_records_waiting',
] as const;

export type Leftovers = Readonly<Record<(typeof LEFTOVERS)[number], number>>;

export const NOTHING_LEFT: Leftovers = {
  dialtree_calls: 0,
  dialtree_legs: 0,
  dialtree_sip_transactions: 0,
  dialtree_media_streams: 0,
  dialtree_call_records_waiting: 0,
};

/** Waits until nothing is left, or gives what still is: transactions may take 32 s after the last message, calls 64·T1 more. */
export async function leftovers(pbx: Pick<Pbx, 'url'>, withinMs = 40_000): Promise<Leftovers> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const values = await metricsOf(pbx);
    const left = { ...NOTHING_LEFT };
    for (const name of LEFTOVERS) Object.assign(left, { [name]: values.get(name) ?? Number.NaN });
    if (LEFTOVERS.every((name) => left[name] === 0) || performance.now() > untilMs) return left;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The memory of the service, as the kernel counts it. */
export function residentBytes({ process: { pid } }: Pbx): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

export function openFiles({ process: { pid } }: Pbx): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The same without transactions, which UDP keeps for half a minute (RFC 3261, timers H and J): suites that are many cannot wait. */
export async function callsLeft(pbx: Pick<Pbx, 'url'>): Promise<Leftovers> {
  const untilMs = performance.now() + 30_000;
  for (;;) {
    const left = { ...(await leftovers(pbx, 0)), dialtree_sip_transactions: 0 };
    if (LEFTOVERS.every((name) => left[name] === 0) || performance.now() > untilMs) return left;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
