// All that the account has, as the flow that drafts are linted and tested on; and what the linter says of one.
import { useDeferredValue, useMemo } from 'react';
import type { Settings } from '../../../../client/operations.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { unreachedMenus } from '../../../../src/flow/lint/unreached.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { accountFlow, lintDraft } from './account-flow.ts';
import type { IvrDraft } from './draft.ts';

export interface Account {
  /** Null until everything is there. */
  readonly flow: Flow | null;
  readonly settings: Settings | null;
}

export function useAccountFlow(): Account {
  const menus = useRecords('ivr');
  const agents = useRecords('agent');
  const departments = useRecords('department');
  const timeGroups = useRecords('timegroup');
  const announcements = useRecords('announcement');
  const voicemailBoxes = useRecords('voicemail');
  const recordings = useRecords('recording');
  const templates = useRecords('sms_template');
  const webhooks = useRecords('webhook');
  const settings = useAsk(() => client.getSettings(), []).value;
  const all = [
    menus,
    agents,
    departments,
    timeGroups,
    announcements,
    voicemailBoxes,
    recordings,
    templates,
    webhooks,
  ];
  const ready = settings !== null && all.every(({ state }) => state === 'ready');
  const lists = all.map(({ items }) => items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are what it is made of
  const flow = useMemo(
    () =>
      ready
        ? accountFlow({
            ivrs: menus.items,
            agents: agents.items,
            departments: departments.items,
            timeGroups: timeGroups.items,
            announcements: announcements.items,
            voicemailBoxes: voicemailBoxes.items,
            recordings: recordings.items,
            templates: templates.items,
            webhooks: webhooks.items,
            settings,
          })
        : null,
    [ready, settings, ...lists],
  );
  return { flow, settings };
}

/** What the linter says of the draft as it is typed; until everything is loaded, what the service said of the stored menu. */
export function useFindings(
  flow: Flow | null,
  id: string | null,
  draft: IvrDraft,
  served: readonly Finding[],
): readonly Finding[] {
  const numbers = useRecords('number');
  const calm = useDeferredValue(draft);
  const unreached = useMemo(() => {
    if (!flow || id === null || numbers.state !== 'ready') return [];
    const entries = numbers.items.map(({ destination }) => destination);
    return [...unreachedMenus(flow, entries)].filter(({ node }) => node === `ivr||${id}`);
  }, [flow, id, numbers.items, numbers.state]);
  return useMemo(
    () => (flow ? [...lintDraft(flow, id, calm), ...unreached] : served),
    [flow, id, calm, served, unreached],
  );
}
