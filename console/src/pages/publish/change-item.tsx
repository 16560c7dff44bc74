// One record of the draft: what happens to it, in words, who changed it, and how to discard that.
import type { Draft } from '../../../../client/operations.ts';
import type { Ivr } from '../../../../src/kinds/ivr.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import { type Difference, differencesOf } from '../editor/difference.ts';
import { Differences } from '../editor/differences.tsx';
import { draftOf, emptyDraft } from '../editor/draft.ts';
import { memberChanges, shownChange } from './differences.ts';
import { memberLabel, memberValue } from './members.ts';

export type Change = Draft['data'][number];

export const TONES = { create: 'good', update: 'info', delete: 'bad' } as const;

interface ChangeItemProps {
  readonly change: Change;
  /** Null if not offered. */
  readonly onDiscard: (() => void) | null;
}

export function ChangeItem({ change, onDiscard }: ChangeItemProps) {
  const { t, dateTime } = useWords();
  const { kind, name, action, conflict, editor, at } = change;
  return (
    <li className="publish-change">
      <header>
        <Badge tone={TONES[action]}>{t(`publish.action.${action}`)}</Badge>
        <h3 dir="auto">{name}</h3>
        <small>{t(`publish.kind.${kindWord(kind)}`)}</small>
        {onDiscard && (
          <Button aria-label={t('publish.discard.one', { name })} onClick={onDiscard}>
            {t('publish.discard.short')}
          </Button>
        )}
      </header>
      {conflict && <p className="publish-conflict">{t('publish.conflict')}</p>}
      {action !== 'delete' && <Words change={change} />}
      <p className="field-hint">{t('publish.by', { name: editor, at: dateTime(at) })}</p>
    </li>
  );
}

const KINDS = [
  'ivr',
  'number',
  'timegroup',
  'announcement',
  'department',
  'voicemail',
  'room',
  'collect',
  'request',
  'stream',
  'switch',
  'message',
  'sip_address',
] as const;
export type ChangeKind = (typeof KINDS)[number];
export const kindWord = (kind: string): ChangeKind => KINDS.find((each) => each === kind) ?? 'ivr';

function Words({ change: { kind, name, before, after } }: { readonly change: Change }) {
  const { t } = useWords();
  if (kind === 'ivr' && after) {
    // Both as they are stored: the service has checked them.
    const [was, is] = [before, after] as unknown as [Ivr | null, Ivr];
    const all = differencesOf(was ? draftOf(was) : emptyDraft(), draftOf(is));
    const isName = (one: Difference): boolean => one.what === 'text' && one.field === 'name';
    // The heading has the name of a new menu.
    return <Differences differences={was ? all : all.filter((one) => !isName(one))} label={name} />;
  }
  const changes = memberChanges(before, after)
    .filter(({ member }) => before !== null || member !== 'name')
    .map(({ member, from, to }) => ({ member, ...shownChange(from, to) }));
  if (changes.length === 0) return null;
  return (
    <ul className="publish-members" aria-label={name}>
      {changes.map(({ member, from, to, ...left }) => (
        <li key={member}>
          <strong>{memberLabel(kind, member, t)}</strong>{' '}
          {before && (
            <>
              <del>
                <Value {...{ kind, member, ...left }} value={from} />
              </del>{' '}
              <span aria-hidden="true">→</span> <span className="unseen">{t('publish.becomes')}</span>{' '}
            </>
          )}
          <ins>
            <Value {...{ kind, member, ...left }} value={to} />
          </ins>
        </li>
      ))}
    </ul>
  );
}

interface ValueProps {
  readonly kind: string;
  readonly member: string;
  readonly value: unknown;
  /** Equal elements on that side are left out. */
  readonly head: boolean;
  readonly tail: boolean;
}

function Value({ kind, member, value, head, tail }: ValueProps) {
  const { t, dateTime } = useWords();
  const names = useNames();
  const recordings = useRecords('recording').items;
  const nameOf = (reference: string): string => {
    const { kind: of, id } = splitReference(reference);
    const recording = of === 'recording' ? recordings.find((one) => one.id === id) : undefined;
    return recording?.name ?? names(reference).name;
  };
  const isEmpty =
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  const text = isEmpty ? t('publish.nothing') : memberValue(kind, member, value, { t, dateTime, nameOf });
  return <span dir="auto">{`${head ? '… ' : ''}${text}${tail ? ' …' : ''}`}</span>;
}
