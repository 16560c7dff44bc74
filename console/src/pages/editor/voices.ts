// Voices of the speech engine, named by the language that they speak.
import { useMemo } from 'react';
import type { Choice } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { languageName } from '../prompts/language-name.ts';

/** Those of espeak-ng that are offered; the API takes any. */
const VOICES = ['en', 'en-us', 'hi', 'bn', 'mr', 'ta', 'te', 'ur', 'de', 'es', 'fr', 'pt-br', 'ar'];

/** `also`: one that was chosen through the API, offered beside them. */
export function useVoices(also?: string): readonly Choice[] {
  const { language } = useWords();
  return useMemo(() => {
    const voices = also === undefined || VOICES.includes(also) ? VOICES : [...VOICES, also];
    return voices.map((value) => ({ value, label: languageName(value, language) }));
  }, [language, also]);
}
