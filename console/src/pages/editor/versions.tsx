import { useMemo, useState } from 'react';
import type { Ivr } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { differencesOf } from './difference.ts';
import { Differences } from './differences.tsx';
import { draftOf, type IvrDraft } from './draft.ts';

interface VersionsProps {
  readonly stored: Ivr;
  readonly draft: IvrDraft;
  readonly dirty: boolean;
  onRestored(now: Ivr): void;
}

/** Newest first; older ones are in the API. */
const SHOWN = 100;

export function Versions({ stored, draft, dirty, onRestored }: VersionsProps) {
  const { t } = useWords();
  const { id, version: present } = stored;
  const versions = useAsk(
    () => client.listIvrVersions({ params: { id }, query: { limit: SHOWN } }),
    [id, present],
  );
  const audit = useAsk(
    () => client.listAudit({ query: { kind: 'ivr', record_id: id, limit: SHOWN } }),
    [id, present],
  );
  const authors = useMemo(
    () => new Map(audit.value?.data.map(({ version, actor_name }) => [version, actor_name])),
    [audit.value],
  );
  if (versions.error) return <Failure error={versions.error} onAgain={versions.again} />;
  if (!versions.value) return <Loading />;
  const list = versions.value.data;
  return (
    <ol className="editor-versions" aria-label={t('editor.versions')} reversed>
      {list.map((one, at) => (
        <Version
          key={one.version}
          one={one}
          before={list[at + 1]}
          author={authors.get(one.version) ?? null}
          stored={stored}
          draft={draft}
          dirty={dirty}
          onRestored={onRestored}
        />
      ))}
    </ol>
  );
}

interface VersionProps extends VersionsProps {
  readonly one: Ivr;
  readonly before: Ivr | undefined;
  readonly author: string | null;
}

function Version({ one, before, author, stored, draft, dirty, onRestored }: VersionProps) {
  const { t, dateTime, relative } = useWords();
  const [open, setOpen] = useState(false);
  const isPresent = one.version === stored.version;
  const own = before ? differencesOf(draftOf(before), draftOf(one)).length : null;
  const heading = t('editor.version', { version: String(one.version) });
  const restore = useRestore(one, stored, dirty, onRestored);
  return (
    <li className="card editor-version">
      <div className="editor-version-head">
        <strong>{heading}</strong>
        {isPresent && <Badge tone="good">{t('editor.version.present')}</Badge>}
        <span className="field-hint" title={dateTime(one.updated_at)}>
          {author === null
            ? relative(one.updated_at)
            : t('editor.version.by', { who: author, when: relative(one.updated_at) })}
          {' · '}
          {own === null ? t('editor.version.first') : t('editor.version.changes', { count: own })}
        </span>
      </div>
      {!(isPresent && !dirty) && (
        <div className="editor-row">
          <Button
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            aria-label={`${heading}: ${t('editor.version.compare')}`}
          >
            {t('editor.version.compare')}
          </Button>
          {!isPresent && (
            <Button
              icon="history"
              busy={restore.busy}
              onClick={() => void restore.start()}
              aria-label={`${heading}: ${t('editor.version.restore')}`}
            >
              {t('editor.version.restore')}
            </Button>
          )}
        </div>
      )}
      {restore.error !== null && <Failure error={restore.error} />}
      {open && (
        <Differences
          label={t('editor.version.since', { version: String(one.version) })}
          differences={differencesOf(draftOf(one), draft)}
        />
      )}
    </li>
  );
}

function useRestore(one: Ivr, stored: Ivr, dirty: boolean, onRestored: (now: Ivr) => void) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { id } = stored;
  const start = async (): Promise<void> => {
    const version = String(one.version);
    const sure = await confirm({
      title: t('editor.restore.title', { version }),
      text: t(dirty ? 'editor.restore.dirty' : 'editor.restore.text'),
      action: t('editor.version.restore'),
    });
    if (!sure) return;
    setBusy(true);
    setError(null);
    try {
      const { Message } = await client.restoreIvr({
        params: { id, version },
        ifMatch: `"${stored.version}"`,
      });
      const now = await client.getIvr({ params: { id } });
      toast(Message);
      onRestored(now);
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return { start, busy, error };
}
