// The account's flow, on which drafts are linted and tested, and the linter's findings on a draft.
import { useDeferredValue, useMemo } from 'react';
import { changeFlow, type Flow } from '../../../../src/flow/flow.ts';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { unreachedMenus } from '../../../../src/flow/lint/unreached.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { useAccountFlow } from '../simulator/use-account-flow.ts';
import type { IvrDraft } from './draft.ts';
import { lintDraft } from './judgement.ts';

/** The account's flow with its webhooks, and what the service is able to do. Null until all records are loaded. */
export function useCheckedFlow(): Flow | null {
  const { flow } = useAccountFlow(null);
  const { items, state } = useRecords('webhook');
  const { value: capabilities } = useAsk((signal) => client.getTelephony({ signal }), []);
  return useMemo(() => {
    if (!flow || state !== 'ready') return null;
    return changeFlow(flow, { settings: { webhooks: new Set(items.map(({ id }) => id)), capabilities } });
  }, [flow, items, state, capabilities]);
}

/** The findings on the draft as it is typed; until the flow is loaded, the service's findings on the stored menu. */
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
