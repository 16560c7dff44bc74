// The frame around every page: header, navigation and the page itself.
import { Component, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useSession } from './data/session.tsx';
import { Button } from './kit/button.tsx';
import { CreateDialogContext } from './kit/create-in-place.tsx';
import { Page } from './kit/page.tsx';
import { Loading } from './kit/states.tsx';
import { useToast } from './kit/toast.tsx';
import { Navigation, SectionTabs, useEntries } from './navigation.tsx';
import { codeOf } from './page-code.ts';
import { Bell } from './pages/notifications/bell.tsx';
import { OUTSIDE, SignIn } from './pages/sign-in/sign-in.tsx';
import { CommandBar } from './palette/command-bar.tsx';
import { DockButton, DockSlot } from './phone-dock/dock-slot.tsx';
import { forgetLooks, go, Link, useRoute } from './router.tsx';
import { PAGES } from './routes.ts';
import { Viewer } from './viewer.tsx';
import { useWords } from './words/words.tsx';

/** The target of the skip link; a fragment, by which screen readers recognise such links. */
const CONTENT = 'content';

/** Loaded when a picker creates the first record. */
const CreateDialog = lazy(async () => ({
  default: (await import('./pages/create/create-dialog.tsx')).CreateDialog,
}));

export function App() {
  const { account, lapsed } = useSession();
  const { parts } = useRoute();
  const elsewhere = OUTSIDE.includes(parts[0] ?? '');
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
  const { parts, query } = useRoute();
  const main = useRef<HTMLElement>(null);
  const page = parts[0] ?? '';
  const first = useRef(true);
  useEffect(() => forgetLooks, []);
  // A new page takes the focus, for keyboards and screen readers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, another place
  useEffect(() => {
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [page]);
  const content = (
    <main ref={main} id={CONTENT} tabIndex={-1} className="shell-main">
      <Guarded key={page}>
        <Suspense fallback={<Loading />}>
          <CreateDialogContext.Provider value={CreateDialog}>
            <CurrentPage page={page} />
          </CreateDialogContext.Provider>
        </Suspense>
      </Guarded>
    </main>
  );
  // The same element in the same place: the page is not mounted again when the frame goes or comes.
  const isFull = (PAGES.get(page)?.full && query.has('full')) ?? false;
  return (
    <div className={isFull ? 'shell shell-full' : 'shell'}>
      {!isFull && <Bar onSkip={() => main.current?.focus()} />}
      {!isFull && <Navigation current={page} />}
      <div className="shell-page">
        {!isFull && <SectionTabs current={page} />}
        {content}
      </div>
      <DockSlot />
    </div>
  );
}

function Bar({ onSkip }: { readonly onSkip: () => void }) {
  const { t } = useWords();
  return (
    <header className="shell-bar">
      <a
        className="skip"
        href={`#${CONTENT}`}
        onClick={(event) => {
          event.preventDefault();
          onSkip();
        }}
      >
        {t('shell.skip')}
      </a>
      <Link to="/" className="shell-brand">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="26" height="26" />
        <span>Dialtree</span>
      </Link>
      <CommandBar />
      <DockButton />
      <Bell />
      <Viewer />
    </header>
  );
}

function CurrentPage({ page }: { readonly page: string }) {
  const { t } = useWords();
  const row = PAGES.get(page);
  // Chosen once: another component would mount the page again.
  const [Shown] = useState(() => row && codeOf(row));
  const isAllowed = useEntries().some(({ pages }) => pages.some((each) => each === row));
  if (row && !isAllowed) return <NotAllowed page={page} />;
  if (Shown) return <Shown />;
  return (
    <Page title={t('shell.unknown.title')} intro={t('shell.unknown.text')}>
      <Link to="/">{t('shell.unknown.action')}</Link>
    </Page>
  );
}

/** Who may not see the overview begins at the first page that is for them. */
function NotAllowed({ page }: { readonly page: string }) {
  const { t } = useWords();
  const first = useEntries()[0]?.pages[0].path ?? 'account';
  useEffect(() => {
    if (page === '') go(`/${first}`, { replace: true });
  }, [page, first]);
  if (page === '') return <Loading />;
  return (
    <Page title={t('role.refused.title')} intro={t('role.refused')}>
      <Link to={`/${first}`}>{t('shell.unknown.action')}</Link>
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
