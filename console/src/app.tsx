// The frame around every page: header, navigation and the page itself.
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useSession } from './data/session.tsx';
import { Button, IconButton } from './kit/button.tsx';
import { Icon } from './kit/icon.tsx';
import { Page } from './kit/page.tsx';
import { Loading } from './kit/states.tsx';
import { useToast } from './kit/toast.tsx';
import { SignIn } from './pages/sign-in/sign-in.tsx';
import { forgetLooks, Link, useRoute } from './router.tsx';
import { GROUPS, PAGES, type PageRow } from './routes.ts';
import { Viewer } from './viewer.tsx';
import { useWords } from './words/words.tsx';

/** The target of the skip link; a fragment, by which screen readers recognise such links. */
const CONTENT = 'content';

/** Pages whose code is loaded: they render without Suspense. */
const LOADED = new Map<PageRow, ComponentType>();

async function load(row: PageRow): Promise<{ default: ComponentType }> {
  const { Page: Shown } = await row.page();
  LOADED.set(row, Shown);
  return { default: Shown };
}

/** One lazy component per page. */
const LAZY = new Map<PageRow, ComponentType>([...PAGES.values()].map((row) => [row, lazy(() => load(row))]));

/** Preloads a page when the pointer is on its link. A failure is reported when the page is opened. */
const fetchAhead = (row: PageRow): void => void load(row).catch(() => undefined);

export function App() {
  const { account, lapsed } = useSession();
  const { parts } = useRoute();
  const elsewhere = parts[0] === 'sign-in';
  const signingIn = !account || elsewhere;
  const kept = elsewhere ? null : (account ?? lapsed);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A hidden page with an open dialog would block the sign-in page.
    if (signingIn) for (const dialog of box.current?.querySelectorAll('dialog[open]') ?? []) close(dialog);
  }, [signingIn]);
  return (
    <>
      {signingIn && <SignIn />}
      {kept && (
        <div ref={box} hidden={signingIn}>
          <Frame key={kept.id} />
        </div>
      )}
    </>
  );
}

function close(dialog: Element): void {
  if (dialog instanceof HTMLDialogElement) dialog.close();
}

function Frame() {
  const { t } = useWords();
  const { parts } = useRoute();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const page = parts[0] ?? '';
  const first = useRef(true);
  useEffect(() => forgetLooks, []);
  // A new page takes the focus, for keyboards and screen readers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, another place
  useEffect(() => {
    setOpen(false);
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [page]);
  return (
    <div className="shell">
      <header className="shell-bar">
        <a
          className="skip"
          href={`#${CONTENT}`}
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          {t('shell.skip')}
        </a>
        <IconButton
          icon="more"
          label={t('shell.menu')}
          aria-expanded={open}
          aria-controls="navigation"
          className="shell-toggle"
          onClick={() => setOpen(!open)}
        />
        <Link to="/" className="shell-brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="26" height="26" />
          Dialtree
        </Link>
        <Viewer />
      </header>
      <Navigation open={open} current={page} />
      <main ref={main} id={CONTENT} tabIndex={-1} className="shell-main">
        <Guarded key={page}>
          <Suspense fallback={<Loading />}>
            <CurrentPage page={page} />
          </Suspense>
        </Guarded>
      </main>
    </div>
  );
}

function Navigation({ open, current }: { readonly open: boolean; readonly current: string }) {
  const { t } = useWords();
  const isOperator = useSession().account?.operator ?? false;
  return (
    <nav
      id="navigation"
      className={open ? 'shell-nav shell-nav-open' : 'shell-nav'}
      aria-label={t('shell.navigation')}
    >
      {GROUPS.map(({ label, pages }) => (
        <div key={label ?? ''} className="shell-group">
          {label && <h2>{t(label)}</h2>}
          <ul>
            {shownTo(pages, isOperator).map((row) => (
              <li key={row.path}>
                <Link
                  to={`/${row.path}`}
                  aria-current={row.path === current ? 'page' : undefined}
                  onPointerEnter={() => fetchAhead(row)}
                  onFocus={() => fetchAhead(row)}
                >
                  <Icon name={row.icon} />
                  {t(row.label)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const shownTo = (pages: readonly PageRow[], isOperator: boolean): readonly PageRow[] =>
  pages.filter(({ operator }) => isOperator || !operator);

function CurrentPage({ page }: { readonly page: string }) {
  const { t } = useWords();
  const row = PAGES.get(page);
  // Chosen once: another component would mount the page again.
  const [Shown] = useState(() => row && (LOADED.get(row) ?? LAZY.get(row)));
  if (Shown) return <Shown />;
  return (
    <Page title={t('shell.unknown.title')} intro={t('shell.unknown.text')}>
      <Link to="/">{t('shell.unknown.action')}</Link>
    </Page>
  );
}

/** Error boundary: one page that fails does not take down the others. */
class Guarded extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? 'unknown' };
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <Failed error={error} />;
  }
}

function Failed({ error }: { readonly error: unknown }) {
  const { t } = useWords();
  const toast = useToast();
  // Its code could not be loaded: the service is down, or a newer version has other files.
  const lost = /dynamically imported module|module script|preload CSS/i.test(String(error));
  const again = async (): Promise<void> => {
    try {
      // A reload while the service is down would lose the console.
      await fetch(location.pathname);
      location.reload();
    } catch {
      toast(t('kit.failed.offline'), 'bad');
    }
  };
  return (
    <Page
      title={t(lost ? 'kit.failed.title' : 'shell.failed.title')}
      intro={t(lost ? 'kit.failed.offline' : 'shell.failed.text')}
    >
      <div>
        <Button onClick={() => void again()}>{t('shell.failed.action')}</Button>
      </div>
    </Page>
  );
}
