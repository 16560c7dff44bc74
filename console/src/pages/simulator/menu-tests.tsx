import { useCallback, useMemo, useState } from 'react';
import type { Ivr } from '../../../../client/operations.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { changed, useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import type { CurrentCall } from './current-call.ts';
import { SaveDialog } from './save-dialog.tsx';
import type { PlacedCall, StoredTest } from './test-of.ts';
import { TestsPanel } from './tests-panel.tsx';

/** The API's limit. */
const MOST_TESTS = 20;

interface MenuTestsProps {
  readonly flow: Flow;
  readonly entry: Ref;
  /** The call used an unsaved menu, and no editor takes the test. */
  readonly drafted: boolean;
  /** The unsaved tests of the editor; null: the stored ones. */
  readonly drafts: readonly StoredTest[] | null;
  readonly onTests: ((tests: readonly StoredTest[]) => void) | undefined;
  readonly finished: CurrentCall | null;
  readonly listed: boolean;
}

export function MenuTests({ flow, entry, finished, listed, drafted, drafts, onTests }: MenuTestsProps) {
  const { t } = useWords();
  const toast = useToast();
  const nameOf = useNamesInTexts();
  const ivrs = useRecords('ivr');
  const [saving, setSaving] = useState<PlacedCall | null>(null);
  const { kind, id } = splitReference(entry);
  const stored = kind === 'ivr' ? ivrs.items.find((ivr) => ivr.id === id) : undefined;
  const kept = useTests(stored);
  const tests = drafts ?? kept;
  const store = useCallback(
    async (next: readonly StoredTest[]): Promise<void> => {
      if (onTests) return onTests(next);
      if (!stored) return;
      await storeTests(stored, next);
      changed('ivr');
    },
    [onTests, stored],
  );
  if (kind !== 'ivr') return listed ? <p className="simulator-none">{t('simulator.tests.noMenu')}</p> : null;
  const why = whyNotSaved(finished, drafted, tests.length);
  const begin = (): void => {
    if (!finished) return;
    const { paced, conditions } = finished;
    setSaving({ entry, conditions, inputs: paced.inputs, steps: paced.call.steps });
  };
  return (
    <>
      {listed && <TestsPanel flow={flow} entry={entry} tests={tests} nameOf={nameOf} onChange={store} />}
      {(listed || finished) && (
        <div className="simulator-save">
          <Button icon="check" disabled={why !== null} onClick={begin}>
            {t('simulator.save')}
          </Button>
          {why && <p className="simulator-hint">{t(why, { count: MOST_TESTS })}</p>}
        </div>
      )}
      {saving && (
        <SaveDialog
          flow={flow}
          call={saving}
          nameOf={nameOf}
          onClose={() => setSaving(null)}
          onSave={async (test) => {
            await store([...tests, test]);
            toast(
              t(onTests ? 'simulator.save.drafted' : 'simulator.save.saved', { name: String(test['name']) }),
            );
          }}
        />
      )}
    </>
  );
}

function whyNotSaved(finished: CurrentCall | null, draft: boolean, count: number) {
  if (draft) return 'simulator.save.draft';
  if (count >= MOST_TESTS) return 'simulator.save.most';
  return finished ? null : 'simulator.save.unfinished';
}

/** The same array while the menu is the same: results are keyed by test. */
function useTests(stored: Ivr | undefined): readonly StoredTest[] {
  return useMemo(() => stored?.tests ?? [], [stored]);
}

/** skip_tests: the menu itself is unchanged, so tests that fail already must not refuse the write. */
async function storeTests(stored: Ivr, tests: readonly StoredTest[]): Promise<void> {
  const body = {
    ...bodyOf(stored),
    tests: tests as Ivr['tests'] & { name: string; expect: Record<string, unknown> }[],
  };
  await client.putIvr({
    params: { id: stored.id },
    query: { skip_tests: 'true' },
    body,
    ifMatch: `"${stored.version}"`,
  });
}

/** The members of a stored menu that PUT accepts. */
function bodyOf({ id: _id, version: _version, created_at: _created, updated_at: _updated, ...body }: Ivr) {
  return body;
}
