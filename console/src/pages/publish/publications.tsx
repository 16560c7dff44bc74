// What was published, by whom and why, with one press to undo it.
import type { Publication } from '../../../../client/operations.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';

interface PublicationsProps {
  readonly publications: readonly Publication[];
  readonly busy: boolean;
  readonly onRollBack: (publication: Publication) => void;
}

/** Names of one publication; more are counted. */
const MOST_NAMED = 5;

export function Publications({ publications, busy, onRollBack }: PublicationsProps) {
  const { t, dateTime } = useWords();
  if (publications.length === 0) return <p className="field-hint">{t('publish.history.none')}</p>;
  return (
    <ol className="publish-history">
      {publications.map((publication) => {
        const { id, at, publisher, reason, rolled_back_by: undone, changes } = publication;
        const names = changes.slice(0, MOST_NAMED).map(({ name }) => name);
        const more = changes.length - names.length;
        return (
          <li key={id}>
            <div>
              <strong dir="auto">{reason}</strong>
              <p className="field-hint">{t('publish.by', { name: publisher, at: dateTime(at) })}</p>
              <p>
                {names.join(', ')}
                {more > 0 && ` ${t('publish.history.more', { count: more })}`}
              </p>
            </div>
            {undone === null ? (
              <Button
                icon="undo"
                disabled={busy}
                aria-label={t('publish.rollBack.of', { reason })}
                onClick={() => onRollBack(publication)}
              >
                {t('publish.rollBack')}
              </Button>
            ) : (
              <Badge>{t('publish.rolledBack')}</Badge>
            )}
          </li>
        );
      })}
    </ol>
  );
}
