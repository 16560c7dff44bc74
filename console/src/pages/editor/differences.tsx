import type { ReactNode } from 'react';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { useNames, useNamesOf } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import type { Difference, OptionPart, PartChange } from './difference.ts';
import { Sentence } from './sentence.tsx';

/** How each kind of value is written for a reader. */
interface Naming {
  recording(reference: string): string;
  destination(reference: string): string;
  part(part: OptionPart, value: string): string;
}

function useNaming(): Naming {
  const { t } = useWords();
  const names = useNames();
  const recordings = useNamesOf('recording');
  const templates = useNamesOf('sms_template');
  const webhooks = useNamesOf('webhook');
  const recording = (reference: string): string =>
    reference === '' ? t('editor.nothing') : recordings(splitReference(reference).id);
  const destination = (reference: string): string =>
    reference === '' ? t('editor.nothing') : names(reference).name;
  return {
    recording,
    destination,
    part(part, value) {
      if (value === '') return t('editor.nothing');
      if (part === 'destination') return destination(value);
      if (part === 'priority') return value;
      return part === 'webhook' ? webhooks(splitReference(value).id) : templates(value);
    },
  };
}

export function Differences({
  differences,
  label,
}: {
  readonly differences: readonly Difference[];
  readonly label: string;
}) {
  const { t } = useWords();
  if (differences.length === 0) return <p className="field-hint">{t('editor.difference.none')}</p>;
  return (
    <ul className="editor-differences" aria-label={label}>
      {differences.map((difference, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew with each difference
        <li key={at} className={`editor-difference editor-difference-${toneOf(difference)}`}>
          <DifferenceText difference={difference} />
        </li>
      ))}
    </ul>
  );
}

function toneOf({ what }: Difference): 'added' | 'removed' | 'changed' {
  if (what.endsWith('-added')) return 'added';
  return what.endsWith('-removed') ? 'removed' : 'changed';
}

const Was = ({ children }: { readonly children: ReactNode }) => <del>{children}</del>;
const Is = ({ children }: { readonly children: ReactNode }) => <ins>{children}</ins>;

function DifferenceText({ difference }: { readonly difference: Difference }) {
  const { t, number } = useWords();
  const naming = useNaming();
  const changed = (field: string, from: string, to: string): ReactNode => (
    <Sentence
      text={t('editor.difference.changed')}
      slots={{
        field: <strong>{field}</strong>,
        from: <Was>{from || t('editor.nothing')}</Was>,
        to: <Is>{to || t('editor.nothing')}</Is>,
      }}
    />
  );
  switch (difference.what) {
    case 'text':
      return changed(t(`editor.field.${difference.field}`), difference.from, difference.to);
    case 'recording':
      return changed(
        t(`editor.field.${difference.field}`),
        naming.recording(difference.from),
        naming.recording(difference.to),
      );
    case 'destination':
      return changed(
        t(`editor.field.${difference.field}`),
        naming.destination(difference.from),
        naming.destination(difference.to),
      );
    case 'count':
      return changed(t(`editor.field.${difference.field}`), number(difference.from), number(difference.to));
    case 'record-calls':
      return t(difference.to ? 'editor.difference.recorded' : 'editor.difference.unrecorded');
    case 'sensitive':
      return t(difference.to ? 'editor.difference.hidden' : 'editor.difference.shown');
    case 'option-added':
    case 'option-removed': {
      const { keys, destination } = difference.option;
      const name = naming.destination(destination);
      const Shown = difference.what === 'option-added' ? Is : Was;
      const key =
        difference.what === 'option-added' ? 'editor.difference.added' : 'editor.difference.removed';
      return <Sentence text={t(key, { keys })} slots={{ name: <Shown>{name}</Shown> }} />;
    }
    case 'option-moved':
      return (
        <Sentence
          text={t('editor.difference.moved')}
          slots={{ from: <Was>{difference.from}</Was>, to: <Is>{difference.to}</Is> }}
        />
      );
    case 'option-changed':
      return difference.parts.map((part) => (
        <PartText key={part.part} keys={difference.keys} part={part} naming={naming} />
      ));
    case 'test-added':
    case 'test-removed':
    case 'test-changed':
      return t(`editor.difference.${difference.what}`, { name: difference.name });
    default:
      return difference satisfies never;
  }
}

interface PartTextProps {
  readonly keys: string;
  readonly part: PartChange;
  readonly naming: Naming;
}

function PartText({ keys, part: { part, from, to }, naming }: PartTextProps) {
  const { t } = useWords();
  return (
    <p>
      <Sentence
        text={t(`editor.difference.${part}`, { keys })}
        slots={{ from: <Was>{naming.part(part, from)}</Was>, to: <Is>{naming.part(part, to)}</Is> }}
      />
    </p>
  );
}
