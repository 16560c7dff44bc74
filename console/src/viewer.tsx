import { useEffect, useRef, useState } from 'react';
import { useSession } from './data/session.tsx';
import { Button } from './kit/button.tsx';
import { sentenceOf } from './kit/faults.ts';
import { SelectField } from './kit/field.tsx';
import { Icon } from './kit/icon.tsx';
import { useToast } from './kit/toast.tsx';
import { Link } from './router.tsx';
import { applyTheme, storedTheme, THEMES, type Theme } from './theme.ts';
import { LANGUAGES, useWords } from './words/words.tsx';

export function Viewer() {
  const { t } = useWords();
  const { account } = useSession();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener('pointerdown', outside);
    addEventListener('focusin', outside);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('focusin', outside);
      removeEventListener('keydown', onKey);
    };
  }, [open]);
  return (
    <div className="viewer" ref={box}>
      <button
        ref={button}
        type="button"
        className="button button-quiet viewer-button"
        aria-expanded={open}
        aria-controls="viewer"
        onClick={() => setOpen(!open)}
      >
        <Icon name="agent" />
        <span>{account?.user?.name ?? account?.name}</span>
        <Icon name="down" size={14} />
      </button>
      <section id="viewer" className="viewer-panel" aria-label={t('shell.account')} hidden={!open}>
        {open && <Panel onDone={() => setOpen(false)} />}
      </section>
    </div>
  );
}

function Panel({ onDone }: { readonly onDone: () => void }) {
  const { t, language, setLanguage } = useWords();
  const { account, accounts, use, signOut } = useSession();
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const toast = useToast();
  const showFailure = (error: unknown): void => toast(sentenceOf(error, t), 'bad');
  return (
    <>
      {accounts.length > 1 && (
        <SelectField
          label={t('shell.account')}
          value={account?.id ?? ''}
          options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => void use(id).catch(showFailure)}
        />
      )}
      <SelectField label={t('shell.language')} value={language} options={LANGUAGES} onChange={setLanguage} />
      <SelectField
        label={t('shell.theme')}
        value={theme}
        options={THEMES.map((value) => ({ value, label: t(`shell.theme.${value}`) }))}
        onChange={(value) => {
          applyTheme(value);
          setTheme(value);
        }}
      />
      {account?.user && (
        <Link to="/account" onClick={onDone}>
          {t('shell.page.account')}
        </Link>
      )}
      {account?.owner_missing && (
        <Link to="/owner" onClick={onDone}>
          {t('users.owner')}
        </Link>
      )}
      <Link to="/sign-in" onClick={onDone}>
        {t('shell.addAccount')}
      </Link>
      <a href="/docs">{t('shell.docs')}</a>
      <Button icon="back" onClick={() => void signOut().catch(showFailure)}>
        {t('shell.signOut')}
      </Button>
      {accounts.length > 1 && (
        <Button kind="quiet" onClick={() => void signOut(true).catch(showFailure)}>
          {t('shell.signOutAll')}
        </Button>
      )}
    </>
  );
}
