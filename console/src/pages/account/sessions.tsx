import type { OwnUser } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { browserName } from './browser-name.ts';

interface SessionsProps {
  readonly sessions: OwnUser['sessions'];
  readonly onChange: () => void;
}

export function Sessions({ sessions, onChange }: SessionsProps) {
  const { t, dateTime } = useWords();
  const attempt = useAttempt();
  const end = async (id: string): Promise<void> => {
    await attempt(() => client.endOwnSession({ params: { id } }));
    onChange();
  };
  const newest = [...sessions].sort((one, other) => Number(other.current) - Number(one.current));
  return (
    <section className="account-part" aria-label={t('account.sessions')}>
      <h2>{t('account.sessions')}</h2>
      <ul className="account-list">
        {newest.map(({ id, browser, created_at: at, current }) => {
          const name = browserName(browser) ?? t('account.browser.unknown');
          return (
            <li key={id}>
              <span>
                {name}, {t('account.sessions.since', { at: dateTime(at) })}
              </span>
              {current ? (
                <Badge tone="good">{t('account.sessions.current')}</Badge>
              ) : (
                <Button
                  aria-label={t('account.sessions.end.this', { browser: name })}
                  onClick={() => void end(id)}
                >
                  {t('account.sessions.end')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button onClick={() => void end('others')}>{t('account.sessions.others')}</Button>
      )}
    </section>
  );
}
