// The console's texts in the user's language. One catalogue per language; the compiler reports a missing key.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Catalogue, Values } from './catalogue.ts';
import { say } from './catalogue.ts';
import { en } from './en.ts';
import { formats } from './formats.ts';
import { setTranslator } from './translator.ts';

export type Key = keyof typeof en;
type WithHint<K extends Key> = K extends Key ? (`${K}.hint` extends Key ? K : never) : never;
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'hi', label: 'हिन्दी' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

export interface Words extends ReturnType<typeof formats> {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  t(key: Key, values?: Values): string;
  /** The label and the hint of a field. */
  hinted(key: WithHint<Key>): { readonly label: string; readonly hint: string };
}

const Context = createContext<Words | null>(null);
const STORED = 'dialtree.language';

function wanted(): Language {
  const stored = localStorage.getItem(STORED);
  const languages = [stored ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  const isKnown = (tag: string): tag is Language => LANGUAGES.some(({ value }) => value === tag);
  return languages.find(isKnown) ?? 'en';
}

export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const [language, choose] = useState<Language>(wanted);
  const [catalogue, setCatalogue] = useState<Catalogue | null>(() => (language === 'en' ? en : null));
  useEffect(() => {
    let current = true;
    const take = (next: Catalogue): void => {
      if (!current) return;
      setCatalogue(next);
      document.documentElement.lang = language;
      document.documentElement.dir = 'ltr';
    };
    if (language === 'en') {
      setTranslator(null);
      take(en);
    } else
      Promise.all([import('./hi.ts'), import('./server/translate.ts')])
        .then(([{ hi }, { translate }]) => {
          if (!current) return;
          setTranslator(translate);
          take(hi);
        })
        .catch(() => setCatalogue((now) => now ?? en));
    return () => {
      current = false;
    };
  }, [language]);
  const words = useMemo<Words | null>(() => {
    if (!catalogue) return null;
    const t: Words['t'] = (key, values = {}) => say(catalogue[key] ?? en[key], values, language);
    return {
      ...formats(language),
      language,
      setLanguage(next) {
        localStorage.setItem(STORED, next);
        choose(next);
      },
      t,
      hinted: (key) => ({ label: t(key), hint: t(`${key}.hint`) }),
    };
  }, [catalogue, language]);
  return words && <Context.Provider value={words}>{children}</Context.Provider>;
}

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error('useWords() outside of WordsProvider');
  return words;
}
