// Agents in pickers: with their number and what they do now.
import { useMemo } from 'react';
import { splitReference } from '../../../src/kinds/reference.ts';
import type { RecordOf } from '../data/kinds.ts';
import { useAgentStates } from '../data/live.ts';
import { useRecords } from '../data/records.ts';
import { useWords } from '../words/words.tsx';
import { STATE_TONES } from './agent-tones.ts';
import type { Option } from './picker.tsx';

/** All agents, by their eid; others are given by `keyOf`, a constant of its module. */
export function usePeopleOptions(keyOf: (agent: Agent) => string = eidOf): readonly Option[] {
  const { items } = useRecords('agent');
  const personOf = usePeople();
  return useMemo(
    () =>
      items.map((agent) => ({
        value: keyOf(agent),
        label: agent.name,
        ...personOf(referenceOfAgent(agent)),
      })),
    [items, personOf, keyOf],
  );
}

type Agent = RecordOf<'agent'>;
const eidOf = ({ eid }: Agent): string => eid;
export const referenceOfAgent = ({ eid }: Pick<Agent, 'eid'>): string => `extension||${eid}`;
export const intercomOf = ({ intercom }: Agent): string => intercom;

/** What is shown beside the name of `extension||eid`. */
export function usePeople(): (reference: string) => Pick<Option, 'note' | 'state'> {
  const { t } = useWords();
  const { items } = useRecords('agent');
  const states = useAgentStates();
  return useMemo(() => {
    const numbers = new Map(items.map(({ eid, intercom }) => [eid, intercom]));
    return (reference) => {
      const { id: eid } = splitReference(reference);
      const [note, now] = [numbers.get(eid), states?.get(eid)];
      return {
        ...(note ? { note } : {}),
        ...(now ? { state: { tone: STATE_TONES[now.state], label: t(`agentState.${now.state}`) } } : {}),
      };
    };
  }, [items, states, t]);
}
