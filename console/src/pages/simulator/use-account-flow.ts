// The account's records as one flow, compiled again whenever one of them changes.

import { useMemo } from 'react';
import { DEFAULT_SETTINGS } from '../../../../src/domain/account.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecordsByKind } from '../../data/records.ts';
import { browserFlow, FLOW_RECORDS, type UnsavedMenu } from './browser-flow.ts';

export interface AccountFlow {
  /** null: not known yet. */
  readonly flow: Flow | null;
  /** The language of the built-in prompts. */
  readonly language: string;
  readonly error: unknown;
  readonly again: () => void;
}

export function useAccountFlow(unsaved: UnsavedMenu | null): AccountFlow {
  const { items, lists, error, reload } = useRecordsByKind(FLOW_RECORDS);
  const settings = useAsk(() => client.getSettings(), []);
  const ready = lists.every(({ state }) => state === 'ready');
  const known = settings.value;
  const flow = useMemo(
    () => (ready && known ? browserFlow({ ...items, settings: known }, unsaved) : null),
    [ready, known, unsaved, items],
  );
  return {
    flow,
    language: known?.language ?? DEFAULT_SETTINGS.language,
    error: error ?? settings.error,
    again: () => {
      if (error !== null) reload();
      if (settings.error) settings.again();
    },
  };
}
