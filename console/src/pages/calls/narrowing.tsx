// Filters that no field of the form has: those of a link from the statistics. Each can be removed.
import { useNames } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import { type FilterName, type Filters, momentOf, QUEUES } from './filters.ts';

interface NarrowingProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

interface Chip {
  readonly text: string;
  readonly clears: readonly FilterName[];
}

export function Narrowing({ filters, onChange }: NarrowingProps) {
  const { t } = useWords();
  const chips = useChips(filters);
  if (chips.length === 0) return null;
  return (
    <ul className="calls-narrowing" aria-label={t('calls.narrowing')}>
      {chips.map(({ text, clears }) => (
        <li key={text}>
          <Button
            icon="close"
            aria-label={t('calls.narrowing.remove', { filter: text })}
            onClick={() => onChange({ ...filters, ...Object.fromEntries(clears.map((name) => [name, ''])) })}
          >
            {text}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function useChips(filters: Filters): readonly Chip[] {
  const { t, dateTime } = useWords();
  const names = useNames();
  const chips: Chip[] = [];
  if (filters.open !== '') chips.push({ text: t('calls.narrowing.open'), clears: ['open'] });
  const queue = QUEUES.find((each) => each === filters.queue);
  if (queue !== undefined) chips.push({ text: t(`calls.queue.${queue}`), clears: ['queue'] });
  for (const name of ['offered', 'unanswered_by'] as const) {
    if (filters[name] === '') continue;
    const agent = names(`extension||${filters[name]}`).name;
    chips.push({ text: t(`calls.narrowing.${name}`, { name: agent }), clears: [name] });
  }
  const [from, to] = [momentOf(filters.from), momentOf(filters.to)];
  if (from !== null && to !== null)
    chips.push({
      text: t('calls.narrowing.span', { from: dateTime(from), to: dateTime(to) }),
      clears: ['from', 'to'],
    });
  else if (from !== null)
    chips.push({ text: t('calls.narrowing.from', { from: dateTime(from) }), clears: ['from'] });
  else if (to !== null) chips.push({ text: t('calls.narrowing.to', { to: dateTime(to) }), clears: ['to'] });
  return chips;
}
