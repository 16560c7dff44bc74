// Import of contacts from a CSV file: choose, see what it would do, send, see what was refused.
import { useEffect, useRef, useState } from 'react';
import { client } from '../../data/client.ts';
import { changed, MOST_HELD, useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { readCsvFile } from '../../kit/csv.ts';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { Field } from '../../kit/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { asLeft, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { runBulk } from '../bulk/run-bulk.ts';
import { newKey } from '../guide/once.ts';
import { Section } from '../records/record-page.tsx';
import { type PlannedContact, planOf } from './contacts-import.ts';
import '../records/records.css';

/** Lines with faults that are listed. */
const MOST_SHOWN = 50;

interface Done {
  readonly created: number;
  readonly stopped: number;
  readonly refused: readonly { readonly line: number; readonly error: unknown }[];
}

/** Thrown for what was not sent any more. */
const STOPPED = new Error('stopped');

export function ImportContacts() {
  const { t } = useWords();
  const { items, state, error, reload } = useRecords('contact');
  const [plan, setPlan] = useState<readonly PlannedContact[] | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const [running, setRunning] = useState<{ readonly done: number; readonly count: number } | null>(null);
  const [result, setResult] = useState<Done | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  useLeaveGuard(running !== null);

  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setPlan(null);
    const content = await file.arrayBuffer().catch(() => null);
    const read = content === null ? null : readCsvFile(new Uint8Array(content));
    if (read === null) return setFault(t('import.fault.unreadable', { line: 0 }));
    if ('fault' in read) return setFault(t(`import.fault.${read.fault.code}`, { line: read.fault.line }));
    const made = planOf(read.rows, items);
    setFault(made === null ? t('contacts.import.noName') : undefined);
    setPlan(made);
  };
  const start = async (rows: readonly PlannedContact[]): Promise<void> => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    const batch = newKey();
    setRunning({ done: 0, count: rows.length });
    const results = await runBulk(
      rows.map((_, index) => ({ id: String(index), name: '' })),
      async (index) => {
        const row = rows[Number(index)];
        if (signal.aborted || !row) throw STOPPED;
        await client.createContact({ body: row.body, idempotencyKey: `${batch}-${row.line}` });
      },
      (done) => setRunning({ done, count: rows.length }),
    );
    changed('contact');
    const failed = results.flatMap((each, index) =>
      each.error === null ? [] : [{ line: rows[index]?.line ?? 0, error: each.error }],
    );
    const refused = failed.filter((each) => each.error !== STOPPED);
    setResult({ created: results.length - failed.length, stopped: failed.length - refused.length, refused });
    setRunning(null);
    setPlan(null);
  };
  return (
    <Page
      title={t('contacts.import.title')}
      intro={
        <>
          {t('contacts.import.intro')}{' '}
          <Link to={asLeft('/contacts')} className="back-link">
            <Icon name="back" /> {t('records.back')}
          </Link>
        </>
      }
    >
      {state === 'failed' && <Failure error={error} onAgain={reload} />}
      {state === 'loading' && <Loading />}
      {state === 'ready' && running && (
        <Notice tone="info">
          <p role="status">{t('import.running', running)}</p>
          <progress value={running.done} max={running.count} aria-label={t('import.running', running)} />
          <Button icon="stop" onClick={() => stop.current.abort()}>
            {t('import.stop')}
          </Button>
        </Notice>
      )}
      {state === 'ready' && !running && result && <Report result={result} onAgain={() => setResult(null)} />}
      {items.length >= MOST_HELD && <Notice tone="warn">{t('contacts.import.large')}</Notice>}
      {state === 'ready' && !running && !result && (
        <Section hint={t('contacts.import.columns')}>
          <Field label={t('import.file')} hint={t('contacts.import.hint')} fault={fault}>
            {(ids) => (
              <input
                {...ids}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                // Allows choosing the same file again after it was edited.
                onClick={({ currentTarget }) => {
                  currentTarget.value = '';
                }}
                onChange={({ target }) => void read(target.files?.[0])}
              />
            )}
          </Field>
          {plan && <Preview plan={plan} onStart={(rows) => void start(rows)} />}
        </Section>
      )}
    </Page>
  );
}

interface PreviewProps {
  readonly plan: readonly PlannedContact[];
  readonly onStart: (rows: readonly PlannedContact[]) => void;
}

function Preview({ plan, onStart }: PreviewProps) {
  const { t } = useWords();
  const fresh = plan.filter(({ state }) => state === 'new');
  const there = plan.filter(({ state }) => state === 'there').length;
  const faulty = plan.filter(({ state }) => state === 'faulty');
  return (
    <>
      <p role="status">
        {t('contacts.import.ready', { count: fresh.length })}{' '}
        {there > 0 && t('contacts.import.there', { count: there })}
      </p>
      {faulty.length > 0 && (
        <Notice tone="warn">
          <p>{t('contacts.import.faulty', { count: faulty.length })}</p>
          <ul>
            {faulty.slice(0, MOST_SHOWN).map(({ line, fault, body }) => (
              <li key={line}>
                {t('import.line')} {line}:{' '}
                {fault &&
                  t(`contacts.import.fault.${fault}`, { numbers: body.numbers.join(', ').slice(0, 100) })}
              </li>
            ))}
          </ul>
          {faulty.length > MOST_SHOWN && (
            <p>{t('contacts.import.more', { count: faulty.length - MOST_SHOWN })}</p>
          )}
        </Notice>
      )}
      {fresh.length > 0 && (
        <div>
          <Button kind="primary" onClick={() => onStart(fresh)}>
            {t('contacts.import.start', { count: fresh.length })}
          </Button>
        </div>
      )}
    </>
  );
}

function Report({ result, onAgain }: { readonly result: Done; readonly onAgain: () => void }) {
  const { t } = useWords();
  const { created, stopped, refused } = result;
  return (
    <>
      <Notice tone={refused.length > 0 ? 'warn' : 'good'}>
        <p role="status">
          {t('contacts.import.done', { count: created })}{' '}
          {stopped > 0 && t('contacts.import.stopped', { count: stopped })}
        </p>
        {refused.length > 0 && (
          <>
            <p>{t('contacts.import.failed', { count: refused.length })}</p>
            <ul>
              {refused.slice(0, MOST_SHOWN).map(({ line, error }) => (
                <li key={line}>
                  {t('import.line')} {line}: {sentenceOf(error, t)}
                </li>
              ))}
            </ul>
            {refused.length > MOST_SHOWN && (
              <p>{t('contacts.import.more', { count: refused.length - MOST_SHOWN })}</p>
            )}
          </>
        )}
      </Notice>
      <div className="form-actions">
        <Button onClick={onAgain}>{t('contacts.import.again')}</Button>
        <Link to="/contacts" className="button button-primary">
          {t('records.back')}
        </Link>
      </div>
    </>
  );
}
