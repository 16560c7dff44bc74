import { useEffect, useState } from 'react';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import type { CurrentCall } from './current-call.ts';
import { PacedCall, type Speed } from './paced-call.ts';
import type { Present } from './present.ts';
import { type PastCall, replayOf } from './replay.ts';
import { conditionsOf, type Settings, USUAL } from './settings.ts';

/** `present`: what agents do at this moment; null: not known. */
export function useCurrentCall(flow: Flow, entry: Ref, record: string | undefined, present: Present | null) {
  const [speed, setSpeed] = useState<Speed>(1);
  const [settings, setSettings] = useState<Settings>({ ...USUAL, ...present });
  const [current, setCurrent] = useState<CurrentCall | null>(null);
  const [selected, select] = useState<number | null>(null);
  const start = (call: CurrentCall | null): void => {
    setCurrent(call);
    select(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the call belongs to the entry or record that it was placed for
  useEffect(() => start(null), [entry, record]);
  return {
    current,
    settings,
    speed,
    /** The step that the user selected. */
    selected,
    select,
    place: (): void => {
      const conditions = conditionsOf(settings, Date.now());
      const paced = new PacedCall(new SimulatedCall(flow, { entry, ...conditions }), speed);
      start({ paced, entry, conditions, replay: null });
    },
    replay: (past: PastCall): void => {
      const { call, difference } = replayOf(flow, past);
      const conditions = conditionsOf(USUAL, past.startedMs);
      start({ paced: new PacedCall(call, speed, true), entry, conditions, replay: { difference } });
    },
    changeSpeed: (next: Speed): void => {
      setSpeed(next);
      current?.paced.setSpeed(next);
    },
    changeSettings: (next: Settings): void => {
      setSettings(next);
      if (!current || current.paced.over || current.replay) return;
      const { epochMs, caller } = current.conditions;
      const conditions = { ...conditionsOf(next, 0), epochMs, caller };
      current.paced.behave(conditions);
      setCurrent({ ...current, conditions });
    },
  };
}
