// The account's records as one flow, compiled again whenever one of them changes.

import { useMemo } from 'react';
import type { Flow } from '../../../../src/flow/flow.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { browserFlow, type UnsavedMenu } from './browser-flow.ts';

export interface AccountFlow {
  /** null: not known yet. */
  readonly flow: Flow | null;
  readonly error: unknown;
  readonly again: () => void;
}

export function useAccountFlow(unsaved: UnsavedMenu | null): AccountFlow {
  const ivrs = useRecords('ivr');
  const agents = useRecords('agent');
  const departments = useRecords('department');
  const timeGroups = useRecords('timegroup');
  const announcements = useRecords('announcement');
  const voicemailBoxes = useRecords('voicemail');
  const recordings = useRecords('recording');
  const smsTemplates = useRecords('sms_template');
  const settings = useAsk(() => client.getSettings(), []);
  const lists = [
    ivrs,
    agents,
    departments,
    timeGroups,
    announcements,
    voicemailBoxes,
    recordings,
    smsTemplates,
  ];
  const ready = lists.every(({ state }) => state === 'ready');
  const known = settings.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists themselves are what the flow is made of
  const flow = useMemo(() => {
    if (!ready || !known) return null;
    return browserFlow(
      {
        ivrs: ivrs.items,
        agents: agents.items,
        departments: departments.items,
        timeGroups: timeGroups.items,
        announcements: announcements.items,
        voicemailBoxes: voicemailBoxes.items,
        recordings: recordings.items,
        smsTemplates: smsTemplates.items,
        settings: known,
      },
      unsaved,
    );
  }, [ready, known, unsaved, ...lists.map(({ items }) => items)]);
  const failed = lists.find(({ state }) => state === 'failed');
  return {
    flow,
    error: failed?.error ?? settings.error,
    again: () => {
      for (const list of lists) if (list.state === 'failed') list.reload();
      if (settings.error) settings.again();
    },
  };
}
