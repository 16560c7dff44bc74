// What a change made different: each member with its value before and after.
import type { AuditEntry } from '../../../../client/operations.ts';
import { useWords } from '../../words/words.tsx';
import './changes.css';

const SHOWN = 3;

export function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  const { t } = useWords();
  if (!changes || changes.length === 0) return t('audit.changes.nothing');
  const rows = changes.map(({ member, before, after, secret }) => (
    <li key={member}>
      <code>{member}</code>{' '}
      {secret ? (
        t('audit.changes.secret')
      ) : (
        <>
          <del>{inWords(before)}</del> <ins>{inWords(after)}</ins>
        </>
      )}
    </li>
  ));
  if (rows.length <= SHOWN) return <ul className="audit-changes">{rows}</ul>;
  return (
    <details className="audit-changes">
      <summary>{t('audit.changes.count', { count: rows.length })}</summary>
      <ul>{rows}</ul>
    </details>
  );
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
