import type { FieldProps } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { useVoices } from '../editor/voices.ts';
import { languageName } from './language-name.ts';

interface LanguageFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (language: string) => void;
}

/** As the service takes it. */
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/;

/** The language of built-in prompts: one that the speech engine is known to speak, or another by its tag. */
export function LanguageField(props: LanguageFieldProps) {
  const { language } = useWords();
  const options = useVoices().filter(({ value }) => value !== 'en-us');
  const also = (text: string) =>
    TAG.test(text) && !options.some(({ value }) => value === text)
      ? [{ value: text, label: languageName(text, language), note: text }]
      : [];
  return <Picker {...props} options={options} also={also} />;
}
