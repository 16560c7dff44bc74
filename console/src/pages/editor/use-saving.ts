// Saves the draft, and handles refusals: faults in fields, failing tests, a conflict of versions.
import { useMemo, useState } from 'react';
import type { Client } from '../../../../client/client.ts';
import type { Ivr } from '../../../../client/operations.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import { client, DialtreeError } from '../../data/client.ts';
import { changed, useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { type Faults, useFaults } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { usePromptLanguage, withBuiltIn, withoutDefaultFaults } from '../prompts/built-in.ts';
import { bodyOf, gapsOf, type IvrDraft, valueAt } from './draft.ts';
import { type FailedTest, failedTests } from './judgement.ts';
import { createMenu } from './sending.ts';
import type { Editor } from './use-editor.ts';

export type Trouble =
  | { readonly is: 'conflict'; readonly theirs: Ivr }
  | { readonly is: 'tests'; readonly failed: readonly FailedTest[]; readonly message: string };

export interface SaveOptions {
  readonly skipTests?: boolean;
  /** The version to replace, if not the one that was read. */
  readonly over?: number;
}

export interface Saving {
  readonly busy: boolean;
  readonly trouble: Trouble | null;
  /** The service's faults, until their fields change. */
  readonly faults: Faults;
  /** Resolves to whether the menu is stored. */
  save(options?: SaveOptions): Promise<boolean>;
  dismiss(): void;
}

type Body = Parameters<Client['putIvr']>[0]['body'];

interface SavingParts {
  readonly editor: Editor;
  readonly flow: Flow | null;
  onSaved(id: string): void;
  /** The refused fields, as JSON pointers. */
  onRefused(pointers: readonly string[]): void;
}

export function useSaving({ editor, flow, onSaved, onRefused }: SavingParts): Saving {
  const { account } = useSession();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const { stored, draft } = editor;
  const faults = useFaults();
  const [refused, setRefused] = useState<IvrDraft>(draft);
  const language = usePromptLanguage();
  const { items: recordings } = useRecords('recording');

  const send = async (sent: IvrDraft, { skipTests = false, over }: SaveOptions): Promise<void> => {
    // Nothing is checked here: the service names each field that is missing.
    const complete = gapsOf(sent).length > 0 ? sent : await withBuiltIn(sent, language, recordings);
    const body = bodyOf(complete) as Body;
    const query = skipTests ? { skip_tests: 'true' as const } : {};
    const version = over ?? stored?.version;
    const { id, message } = stored
      ? await client
          .putIvr({ params: { id: stored.id }, query, body, ifMatch: `"${version}"` })
          .then(({ Message }) => ({ id: stored.id, message: Message }))
      : await createMenu(account?.id ?? '', { query, body });
    const now = await client.getIvr({ params: { id } });
    editor.settle(now, sent);
    changed('ivr');
    toast(message);
    onSaved(id);
  };

  const refuse = async (error: unknown, sent: IvrDraft): Promise<void> => {
    if (error instanceof DialtreeError && error.status === 412 && stored) {
      const theirs = await client.getIvr({ params: { id: stored.id } });
      return setTrouble({ is: 'conflict', theirs });
    }
    if (error instanceof DialtreeError && error.code === 'tests_failed') {
      const failed = flow ? failedTests(flow, stored?.id ?? null, sent) : [];
      return setTrouble({ is: 'tests', failed, message: error.message });
    }
    const shown = withoutDefaultFaults(error);
    faults.take(shown);
    setRefused(sent);
    if (shown instanceof DialtreeError) onRefused(shown.errors.map(({ Pointer }) => Pointer));
  };

  const save = async (options: SaveOptions = {}): Promise<boolean> => {
    if (busy) return false;
    if (stored && !editor.dirty) return true;
    setBusy(true);
    setTrouble(null);
    faults.clear();
    try {
      await send(draft, options);
      return true;
    } catch (error) {
      await refuse(error, draft).catch(faults.take);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const standing = useMemo<Faults>(
    () => ({
      ...faults,
      at: (pointer) =>
        JSON.stringify(valueAt(draft, pointer)) === JSON.stringify(valueAt(refused, pointer))
          ? faults.at(pointer)
          : undefined,
    }),
    [faults, draft, refused],
  );
  return { busy, trouble, faults: standing, save, dismiss: () => setTrouble(null) };
}
