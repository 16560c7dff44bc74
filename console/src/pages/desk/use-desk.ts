import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AgentState } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { type DeskPhone, type DeskView, leaveDesk, openDesk } from './desk-phone.ts';

/** Null for a moment: it opens with the page, and closes after it. */
export function useDesk(account: string, eid: string, number: string): DeskPhone | null {
  const [desk, setDesk] = useState<DeskPhone | null>(null);
  useEffect(() => {
    const opened = openDesk(account, eid, number);
    setDesk(opened);
    return () => leaveDesk(opened);
  }, [account, eid, number]);
  return desk;
}

export const useDeskView = (desk: DeskPhone): DeskView =>
  useSyncExternalStore(desk.subscribe, () => desk.view);

const WRITTEN_MS = 3_000;

/** Changes with what it is given, and once more a moment later: records of calls are written after their end. */
export function useRound(phases: string): string {
  const [settled, setSettled] = useState(phases);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(phases), WRITTEN_MS);
    return () => clearTimeout(timer);
  }, [phases]);
  return `${phases} after ${settled}`;
}

const LOOK_MS = 5_000;

export interface OwnState {
  readonly state: AgentState | null;
  readonly look: () => void;
}

/** What the service says that the agent does; `phase` is what changes with calls: it is looked again then. */
export function useOwnState(eid: string, phase: string): OwnState {
  const [state, setState] = useState<AgentState | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked again for each of them
  useEffect(() => {
    const stop = new AbortController();
    const look = (): void => {
      if (document.hidden && phase === '') return;
      client.getAgentState({ params: { eid }, signal: stop.signal }).then(setState, () => undefined);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [eid, phase, round]);
  return { state, look: () => setRound((before) => before + 1) };
}
