// The way around: eight sections at the side, or at the bottom of a phone, and the pages of the current section as tabs.
import { useEffect, useRef, useState } from 'react';
import { useMay } from './data/may.ts';
import { useSession } from './data/session.tsx';
import { Icon } from './kit/icon.tsx';
import { fetchAhead } from './page-code.ts';
import { Link } from './router.tsx';
import { type PageRow, SECTIONS, type Section, sectionOf, shownTo } from './routes.ts';
import { useWords } from './words/words.tsx';

interface CurrentProps {
  /** The first part of the path of the page that is shown. */
  readonly current: string;
}

interface Entry {
  readonly section: Section;
  /** What this user may see; never empty. */
  readonly pages: readonly [PageRow, ...PageRow[]];
}

export function useEntries(): readonly Entry[] {
  const isOperator = useSession().account?.operator ?? false;
  const may = useMay();
  return SECTIONS.flatMap((section) => {
    const [first, ...rest] = shownTo(section.pages, { isOperator, may });
    return first ? [{ section, pages: [first, ...rest] }] : [];
  });
}

export function Navigation({ current }: CurrentProps) {
  const { t } = useWords();
  const entries = useEntries();
  const [open, setOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const here = sectionOf(current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => setOpen(false), [current]);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      more.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <nav className="shell-nav" aria-label={t('shell.navigation')}>
      {open && <AllPages entries={entries} current={current} onDone={() => setOpen(false)} />}
      <ul className="shell-sections">
        {entries.map(({ section, pages: [first] }) => (
          <li key={section.label} className={section.phone ? undefined : 'shell-wide'}>
            <Link
              to={`/${first.path}`}
              aria-current={section === here ? (first.path === current ? 'page' : 'true') : undefined}
              onPointerEnter={() => fetchAhead(first)}
              onFocus={() => fetchAhead(first)}
            >
              <Icon name={section.icon} />
              <span>{t(section.label)}</span>
            </Link>
          </li>
        ))}
        <li className="shell-narrow">
          <button
            ref={more}
            type="button"
            aria-expanded={open}
            aria-controls="all-pages"
            className={here && !here.phone ? 'shell-here' : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name="more" />
            <span>{t('shell.more')}</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}

/** At phone size: every page, by section. */
function AllPages({
  entries,
  current,
  onDone,
}: CurrentProps & { readonly entries: readonly Entry[]; readonly onDone: () => void }) {
  const { t } = useWords();
  return (
    <div id="all-pages" className="shell-all">
      {entries.map(({ section, pages }) => (
        <section key={section.label} aria-label={t(section.label)}>
          <h2>{t(section.label)}</h2>
          <ul>
            {pages.map((row) => (
              <li key={row.path}>
                <Link
                  to={`/${row.path}`}
                  aria-current={row.path === current ? 'page' : undefined}
                  onClick={onDone}
                >
                  <Icon name={row.icon} />
                  {t(row.label)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The pages of the section. A section of one page has no tabs. */
export function SectionTabs({ current }: CurrentProps) {
  const { t } = useWords();
  const entry = useEntries().find(({ section }) => section === sectionOf(current));
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab of another page may be out of sight
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - list.current.clientWidth / 3;
  }, [current]);
  if (!entry || entry.pages.length < 2) return null;
  return (
    <nav className="shell-tabs" aria-label={t(entry.section.label)}>
      <ul ref={list}>
        {entry.pages.map((row) => (
          <li key={row.path}>
            <Link
              to={`/${row.path}`}
              aria-current={row.path === current ? 'page' : undefined}
              onPointerEnter={() => fetchAhead(row)}
              onFocus={() => fetchAhead(row)}
            >
              {t(row.label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
