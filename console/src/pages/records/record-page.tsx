import type { ReactNode } from 'react';
import { DialtreeError } from '../../data/client.ts';
import { KINDS } from '../../data/kinds.ts';
import { useMayChange } from '../../data/may.ts';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { asLeft, Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { LISTED } from './listed-kinds.ts';
import type { RecordForm } from './record-form.ts';
import { LinkButton } from './record-list.tsx';
import { WhereUsed } from './where-used.tsx';
import './records.css';

interface Stamped {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface RecordPageProps<Stored, Draft> {
  readonly form: RecordForm<Stored, Draft>;
  /** In place of the record's name. */
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Content below the form that is not part of it. */
  readonly more?: ReactNode;
}

export function RecordPage<Stored extends Stamped, Draft>(props: RecordPageProps<Stored, Draft>) {
  const { form, actions, children, more } = props;
  const { t } = useWords();
  const { words } = LISTED[form.kind];
  const mayChange = useMayChange(form.kind);
  const title = props.title ?? (form.isNew ? t(`${words}.new`) : (form.name ?? t(`${words}.title`)));
  const back = (
    <Link to={asLeft(pathTo(KINDS[form.kind].page))} className="back-link">
      <Icon name="back" /> {t('records.back')}
    </Link>
  );
  if (form.state === 'failed') {
    const missing = form.error instanceof DialtreeError && form.error.status === 404;
    return (
      <Page title={missing ? t('records.missing.title') : title}>
        {missing ? (
          <Empty
            title={t('records.missing.title')}
            text={t('records.missing.text')}
            action={
              <>
                {back} · <Link to="/deleted">{t('shell.page.deleted')}</Link>
              </>
            }
          />
        ) : (
          <Failure error={form.error} onAgain={() => void form.load()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={title}
      actions={
        form.state === 'ready' &&
        mayChange && (
          <>
            {actions}
            {form.id !== null && (
              <LinkButton
                to={`${pathTo(KINDS[form.kind].page, 'new')}?copy=${encodeURIComponent(form.id)}`}
                icon="copy"
                label={t('records.copy')}
              />
            )}
          </>
        )
      }
      intro={back}
    >
      {form.state === 'loading' ? (
        <Loading />
      ) : (
        <>
          <form noValidate ref={form.element} className="records-form" onSubmit={form.submit}>
            <Trouble form={form} />
            <Restored form={form} />
            <fieldset className="records-fields" disabled={!mayChange}>
              {children}
            </fieldset>
            {mayChange && <Foot form={form} />}
          </form>
          {more}
          {form.record && form.id !== null && <WhereUsed kind={form.kind} id={form.id} />}
          {form.record && <Stamps record={form.record} />}
        </>
      )}
    </Page>
  );
}

function Trouble<Stored, Draft>({ form }: { readonly form: RecordForm<Stored, Draft> }) {
  const { t } = useWords();
  if (form.conflict) {
    return (
      <Notice tone="bad">
        <strong>{t('records.conflict.title')}</strong>
        <p>{t('records.conflict.text')}</p>
        <div className="form-actions">
          <Button icon="redo" onClick={() => void form.load()}>
            {t('records.conflict.action')}
          </Button>
          <Button onClick={() => void form.rebase()}>{t('records.conflict.keep')}</Button>
        </div>
        {form.messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </Notice>
    );
  }
  if (form.messages.length === 0) return null;
  return (
    <Notice tone="bad">
      {form.messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </Notice>
  );
}

function Restored<Stored, Draft>({ form }: { readonly form: RecordForm<Stored, Draft> }) {
  const { t, relative } = useWords();
  if (form.restoredAtMs === null) return null;
  return (
    <Notice tone="info">
      <p>{t('records.draft', { time: relative(form.restoredAtMs) })}</p>
      <div className="form-actions">
        <Button onClick={form.discard}>{t('records.draft.discard')}</Button>
      </div>
    </Notice>
  );
}

function Foot<Stored, Draft>({ form }: { readonly form: RecordForm<Stored, Draft> }) {
  const { t } = useWords();
  return (
    <div className="records-foot">
      <Button kind="primary" type="submit" busy={form.busy} disabled={!form.dirty && !form.isNew}>
        {t(form.isNew ? 'records.create' : 'kit.save')}
      </Button>
      {form.dirty && !form.isNew && <span className="records-unsaved">{t('records.unsaved')}</span>}
      {!form.isNew && (
        <Button kind="danger" icon="trash" className="records-delete" onClick={() => void form.remove()}>
          {t('kit.delete')}
        </Button>
      )}
    </div>
  );
}

function Stamps({ record }: { readonly record: Stamped }) {
  const { t, dateTime } = useWords();
  const { created_at: created, updated_at: updated, version } = record;
  return (
    <p className="field-hint records-stamps">
      {t('records.stamps', { created: dateTime(created), updated: dateTime(updated), version })}
    </p>
  );
}

interface SectionProps {
  readonly title?: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Fields that belong together. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <section className="records-section" {...(title === undefined ? {} : { 'aria-label': title })}>
      {title !== undefined && (
        <header className="records-section-head">
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {hint && <p className="field-hint">{hint}</p>}
      {children}
    </section>
  );
}
