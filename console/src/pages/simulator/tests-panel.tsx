// The list of a menu's tests: run (with the service's code) and deleted here.

import { useState } from 'react';
import { isWithheld } from '../../../../src/domain/withheld-pins.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { Ref } from '../../../../src/flow/node.ts';
import type { Named } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from './names.ts';
import { runStored, type StoredTest, type TestRun } from './test-of.ts';

interface TestsProps {
  readonly flow: Flow;
  readonly entry: Ref;
  readonly tests: readonly StoredTest[];
  readonly nameOf: (reference: string) => Named;
  readonly onChange: (tests: readonly StoredTest[]) => Promise<void>;
}

/** A result belongs to its test and flow: it is dropped when either changes. */
interface Ran {
  readonly flow: Flow;
  readonly runs: ReadonlyMap<StoredTest, TestRun>;
}

export function TestsPanel({ flow, entry, tests, nameOf, onChange }: TestsProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const [ran, setRan] = useState<Ran | null>(null);
  const runs = ran?.flow === flow ? ran.runs : new Map<StoredTest, TestRun>();
  const run = (some: readonly StoredTest[]): void =>
    setRan({
      flow,
      runs: new Map([...runs, ...some.map((test) => [test, runStored(flow, entry, test)] as const)]),
    });
  const remove = async (test: StoredTest, name: string): Promise<void> => {
    const question = {
      title: t('simulator.tests.delete.title'),
      text: t('simulator.tests.delete.text', { name }),
    };
    if (!(await confirm({ ...question, action: t('kit.delete'), danger: true }))) return;
    await onChange(tests.filter((each) => each !== test));
    toast(t('simulator.tests.deleted', { name }));
  };
  if (tests.length === 0) return <p className="simulator-none">{t('simulator.tests.none')}</p>;
  // The service runs these; here their PINs are not known.
  const runnable = tests.filter((test) => !isWithheld(test));
  const passed = runnable.filter((test) => runs.get(test)?.passed).length;
  const complete = runnable.every((test) => runs.has(test));
  return (
    <div className="simulator-tests">
      <div className="simulator-tests-head">
        <Button icon="play" onClick={() => run(runnable)} disabled={runnable.length === 0}>
          {t('simulator.tests.runAll')}
        </Button>
        <p role="status">
          {complete && runnable.length > 0
            ? t('simulator.tests.result', { passed, count: runnable.length })
            : ''}
        </p>
      </div>
      <ul>
        {tests.map((test, index) => {
          const name = String(test['name'] ?? '');
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have one name
            <li key={index}>
              <div className="simulator-test">
                <span>{name}</span>
                {isWithheld(test) ? (
                  <Badge>{t('simulator.tests.withheld')}</Badge>
                ) : (
                  <>
                    <Verdict run={runs.get(test)} />
                    <IconButton
                      icon="play"
                      label={t('simulator.tests.run', { name })}
                      onClick={() => run([test])}
                    />
                  </>
                )}
                <IconButton
                  icon="trash"
                  label={t('simulator.tests.delete', { name })}
                  onClick={() =>
                    void remove(test, name).catch((error: unknown) =>
                      toast(error instanceof Error ? error.message : String(error), 'bad'),
                    )
                  }
                />
              </div>
              <Differences run={runs.get(test)} nameOf={nameOf} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Verdict({ run }: { readonly run: TestRun | undefined }) {
  const { t } = useWords();
  if (!run) return <Badge>{t('simulator.tests.notRun')}</Badge>;
  return run.passed ? (
    <Badge tone="good">{t('simulator.tests.passed')}</Badge>
  ) : (
    <Badge tone="bad">{t('simulator.tests.failed')}</Badge>
  );
}

function Differences({
  run,
  nameOf,
}: {
  readonly run: TestRun | undefined;
  readonly nameOf: TestsProps['nameOf'];
}) {
  if (!run || run.passed) return null;
  return (
    <ul className="simulator-differences">
      {run.differences.map((difference) => (
        <li key={difference}>{withNames(difference, nameOf)}</li>
      ))}
    </ul>
  );
}
