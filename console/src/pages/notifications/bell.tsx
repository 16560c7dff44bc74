// The bell of the header: what needs attention, and what was new since the last look. It rings by the events of the service.
import { useEffect, useRef, useState } from 'react';
import type { Notification } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useLive, useLiveEvents } from '../../data/live.ts';
import { useMay } from '../../data/may.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import './bell.css';
import { firstSeen, MOST_OPEN, MOST_SHOWN, shownOf, unseenOf, withChange } from './seen.ts';

const PAGES: Readonly<Record<string, string>> = {
  trunk: 'trunks',
  department: 'departments',
  voicemail: 'voicemail',
};

/** For those who may see what it is about. */
export function Bell() {
  return useMay()('listNotifications') ? <Shown /> : null;
}

function Shown() {
  const { t } = useWords();
  const { account } = useSession();
  const storageKey = `dialtree.notifications.${account?.id ?? ''}`;
  const [all, setAll] = useState<readonly Notification[]>([]);
  const [seen, setSeen] = useState(() => localStorage.getItem(storageKey));
  const [open, setOpen] = useState(false);
  /** What was new when the list was opened stays marked until it is closed. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { round, connection } = useLive();
  // The first snapshot comes at once: nothing is read twice for it.
  const waits = useMay()('followLiveState') && round === 0 && connection === 'opening';
  // biome-ignore lint/correctness/useExhaustiveDependencies: before a snapshot some may have been missed
  useEffect(() => {
    if (waits) return;
    const stop = new AbortController();
    readShown(stop.signal)
      .then((data) => {
        setAll(data);
        if (localStorage.getItem(storageKey) !== null) return;
        const first = firstSeen(data);
        localStorage.setItem(storageKey, first);
        setSeen(first);
      })
      // Not signed in any more, or offline: the page says so.
      .catch(() => undefined);
    return () => stop.abort();
  }, [round, waits]);
  useLiveEvents((type, { notification }) => {
    if (type === 'notification.opened' || type === 'notification.closed')
      setAll((now) => withChange(now, notification as Notification));
  });
  useClosing(open, box, () => {
    setOpen(false);
    button.current?.focus();
  });
  const unseen = unseenOf(all, seen);
  const look = (): void => {
    setOpen(!open);
    if (open) return;
    setFresh(new Set(unseen.map(({ id }) => id)));
    const [last] = all;
    if (!last) return;
    localStorage.setItem(storageKey, last.id);
    setSeen(last.id);
  };
  const count = unseen.length;
  return (
    <div className="viewer bell" ref={box}>
      <button
        ref={button}
        type="button"
        className="button button-icon bell-button"
        aria-expanded={open}
        aria-controls="notifications"
        aria-label={count === 0 ? t('bell.title') : t('bell.new', { count })}
        title={t('bell.title')}
        onClick={look}
      >
        <Icon name="bell" />
        {count > 0 && (
          <span className="bell-count" aria-hidden="true">
            {count > 9 ? '9+' : count}
          </span>
        )}
      </button>
      <section
        id="notifications"
        className="viewer-panel bell-panel"
        aria-label={t('bell.title')}
        hidden={!open}
      >
        {open && <List all={all} fresh={fresh} onDone={() => setOpen(false)} />}
      </section>
      <p className="unseen" role="status">
        {count === 0 ? '' : t('bell.new', { count })}
      </p>
    </div>
  );
}

async function readShown(signal: AbortSignal): Promise<Notification[]> {
  const latest = await client.listNotifications({ query: { limit: MOST_SHOWN }, signal });
  if (latest.next_cursor === null) return shownOf(latest.data);
  const open = await client.listNotifications({ query: { open: 'true', limit: MOST_OPEN }, signal });
  return shownOf(latest.data, open.data);
}

function useClosing(open: boolean, box: { readonly current: Element | null }, close: () => void): void {
  const current = useRef(close);
  current.current = close;
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) current.current();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') current.current();
    };
    addEventListener('pointerdown', outside);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', onKey);
    };
  }, [open, box]);
}

interface ListProps {
  readonly all: readonly Notification[];
  readonly fresh: ReadonlySet<string>;
  readonly onDone: () => void;
}

function List({ all, fresh, onDone }: ListProps) {
  const words = useWords();
  const { t, dateTime } = words;
  const may = useMay();
  return (
    <>
      <h2>{t('bell.title')}</h2>
      {all.length === 0 && <p className="bell-none">{t('bell.none')}</p>}
      <ul className="bell-list">
        {all.map((each) => (
          <li key={each.id} className={fresh.has(each.id) ? 'bell-fresh' : undefined}>
            <Link to={pageOf(each)} onClick={onDone}>
              {sentenceOf(each, words)}
            </Link>
            <span className="bell-facts">
              {each.closed_at === null && <Badge tone="bad">{t('bell.now')}</Badge>}
              {fresh.has(each.id) && <Badge tone="info">{t('bell.fresh')}</Badge>}
              <time dateTime={each.opened_at}>{dateTime(each.opened_at)}</time>
            </span>
            {detailOf(each, words) !== '' && <span className="bell-facts">{detailOf(each, words)}</span>}
          </li>
        ))}
      </ul>
      {may('patchSettings') && (
        <Link to="/notifications" onClick={onDone}>
          {t('bell.rules')}
        </Link>
      )}
    </>
  );
}

function pageOf({ subject }: Notification): string {
  const [word = '', id = ''] = subject.split('||');
  const page = PAGES[word];
  return page === undefined ? '/settings' : pathTo(page, id);
}

const sentenceOf = ({ type, name, closed_at }: Notification, { t }: Words): string =>
  t(closed_at === null || type === 'voicemail_received' ? `bell.${type}` : `bell.${type}.over`, { name });

function detailOf({ facts }: Notification, { t, duration, percent }: Words): string {
  const { problem, waiting, wait_ms: waitMs, caller, free_percent: free } = facts;
  if (problem !== null) return problem;
  if (waiting !== null) return t('bell.facts.queue', { count: waiting, wait: duration(waitMs ?? 0) });
  if (free !== null) return t('bell.facts.disk', { free: percent(free / 100) });
  return caller ?? '';
}
