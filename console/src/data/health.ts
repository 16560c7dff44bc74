// What is wrong with the account now. Asked again when the live state or a record changes, and once a minute: opening hours pass.
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { AccountHealth } from '../../../client/operations.ts';
import { client } from './client.ts';
import { useLive } from './live.ts';
import type { Live } from './live-state.ts';
import { useSession } from './session.tsx';

export type { HealthFinding } from '../../../client/operations.ts';

const EVERY_MS = 60_000;
/** Changes come in bursts. */
const SOON_MS = 500;

export interface Health {
  /** Null if not known yet. */
  readonly value: AccountHealth | null;
  readonly error: unknown;
}

const UNKNOWN: Health = { value: null, error: null };
let held: { readonly account: string | null; readonly health: Health } = { account: null, health: UNKNOWN };
let round = 0;
const listeners = new Set<() => void>();

function put(account: string, health: Health): void {
  held = { account, health };
  for (const listener of listeners) listener();
}

async function ask(account: string): Promise<void> {
  round += 1;
  const mine = round;
  try {
    const value = await client.getHealth();
    if (mine === round) put(account, { value, error: null });
  } catch (error) {
    if (mine === round) put(account, { value: null, error });
  }
}

/** What of the live state findings depend on. */
export function healthMark({
  agents,
  trunks,
  unanswered,
  connection,
}: Pick<Live, 'agents' | 'trunks' | 'unanswered' | 'connection'>): string {
  const cannot = [...agents.values()].filter(({ state }) => state === 'unreachable' || state === 'blocked');
  const lines = [...trunks.values()].map(({ id, registered, reachable }) => [id, registered, reachable]);
  return JSON.stringify([connection, unanswered, cannot.map(({ eid }) => eid), lines]);
}

export function useHealth(): Health & { readonly again: () => void } {
  const { account } = useSession();
  const id = account?.id ?? '';
  const live = useLive();
  const mark = useMemo(() => healthMark(live), [live]);
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  const health = useSyncExternalStore(subscribe, () => (held.account === id ? held.health : UNKNOWN));
  const again = useCallback(() => void ask(id), [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever what findings depend on changes
  useEffect(() => {
    const soon = setTimeout(again, held.account === id ? SOON_MS : 0);
    const timer = setInterval(() => !document.hidden && again(), EVERY_MS);
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [again, mark]);
  return { ...health, again };
}
