// The bar above a list while records are selected: what can be done to all of them, and afterwards what was not done and why.
import { useState } from 'react';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { DialtreeError } from '../../data/client.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, useConfirm } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';
import './bulk.css';
import { BULK_EDITS, type BulkAction, type BulkKind } from './bulk-actions.ts';
import { BulkValue } from './bulk-value.tsx';
import { type BulkItem, type BulkResult, runBulk } from './run-bulk.ts';
import { targetsOf } from './team-agents.ts';

interface BulkBarProps {
  readonly kind: BulkKind;
  readonly selected: readonly BulkItem[];
  /** The records that stay selected. */
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

interface Report {
  readonly action: BulkAction;
  readonly done: number;
  readonly failed: readonly BulkResult[];
}

const NONE: ReadonlySet<string> = new Set();
/** Lists that show a field of the changed kind. */
const ALSO = ['agent', 'department', 'team'] as const;

export function BulkBar({ kind, selected, onSelect }: BulkBarProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const [asking, setAsking] = useState<BulkAction | null>(null);
  const [running, setRunning] = useState<{ readonly done: number; readonly count: number } | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const count = selected.length;
  const edits = BULK_EDITS[kind];
  const run = async (action: BulkAction, value: string, rows: readonly BulkItem[]): Promise<void> => {
    const edit = edits[action];
    if (!edit) return;
    setAsking(null);
    setReport(null);
    setRunning({ done: 0, count: rows.length });
    const { items, unread } = await targetsOf(kind, action, rows);
    const work = edit.work(
      value,
      items.map(({ id }) => id),
    );
    const results = await runBulk(items, work, (done) => setRunning({ done, count: items.length }));
    setRunning(null);
    changed(kind, ...(kind === 'agent' || kind === 'team' ? ALSO : []));
    const failed = [...unread, ...results.filter(({ error }) => error !== null)];
    // What was not done stays selected, so that it can be tried again.
    onSelect(new Set(failed.map(({ item }) => item.row ?? item.id)));
    const done = results.length + unread.length - failed.length;
    if (failed.length > 0) setReport({ action, done, failed });
    else toast(done === 0 ? t('bulk.nobody') : t('bulk.done', { count: done }));
  };
  const begin = async (action: BulkAction): Promise<void> => {
    if (edits[action]?.asks) return setAsking(action);
    if (action === 'block' || action === 'delete') {
      const isOfTeams = action === 'block' && kind === 'team';
      const title = t(isOfTeams ? 'bulk.block.teams' : `bulk.${action}.title`, { count });
      const question = { title, text: t(`bulk.${action}.text`) };
      if (!(await confirm({ ...question, action: t(`bulk.${action}`), danger: true }))) return;
    }
    await run(action, '', selected);
  };
  return (
    <>
      {count > 0 && (
        <section className="bulk-bar" aria-label={t('bulk.label')}>
          <strong role="status">
            {running === null ? t('bulk.selected', { count }) : t('bulk.running', running)}
          </strong>
          {keysOf(edits).map((action) => (
            <Button
              key={action}
              disabled={running !== null}
              kind={action === 'delete' ? 'danger' : 'plain'}
              onClick={() => void begin(action)}
            >
              {t(`bulk.${action}`)}
            </Button>
          ))}
          <Button kind="quiet" disabled={running !== null} onClick={() => onSelect(NONE)}>
            {t('bulk.clear')}
          </Button>
        </section>
      )}
      {asking && (
        <BulkValue
          kind={kind}
          action={asking}
          count={count}
          onClose={() => setAsking(null)}
          onChosen={(value) => run(asking, value, selected)}
        />
      )}
      {report && (
        <BulkReport
          report={report}
          onClose={() => setReport(null)}
          onForce={(items) => void run('delete', 'force', items)}
        />
      )}
    </>
  );
}

interface BulkReportProps {
  readonly report: Report;
  readonly onClose: () => void;
  readonly onForce: (items: readonly BulkItem[]) => void;
}

const isInUse = (error: unknown): boolean =>
  error instanceof DialtreeError && error.code === 'still_referenced';

function BulkReport({ report: { action, done, failed }, onClose, onForce }: BulkReportProps) {
  const { t } = useWords();
  const names = useNamesInTexts();
  const inUse = failed.filter(({ error }) => isInUse(error)).map(({ item }) => item);
  return (
    <Dialog
      title={t('bulk.report', { count: failed.length })}
      open
      onClose={onClose}
      footer={
        <>
          {action === 'delete' && inUse.length > 0 && (
            <Button kind="danger" onClick={() => onForce(inUse)}>
              {t('bulk.force', { count: inUse.length })}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {t('kit.close')}
          </Button>
        </>
      }
    >
      <p>{t('bulk.report.done', { count: done })}</p>
      <ul className="bulk-failed">
        {failed.map(({ item, error }) => (
          <li key={item.id}>
            <strong>{item.name}</strong>: {withNames(sentenceOf(error, t), names)}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
