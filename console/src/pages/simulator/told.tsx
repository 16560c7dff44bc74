// What a call that is told again was, and whether it would go the same way today; and each step for those who listen.

import { useEffect, useRef, useState } from 'react';
import { useNames } from '../../data/names.ts';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from './names.ts';
import type { Placed } from './placed.ts';
import type { PastCall } from './replay.ts';

export function Told({ past, told }: { readonly past: PastCall | null; readonly told: Placed['told'] }) {
  const { t, dateTime, duration } = useWords();
  const nameOf = useNames();
  if (!past) return <Notice tone="warn">{t('simulator.replay.impossible')}</Notice>;
  const of = t('simulator.replay.of', {
    when: dateTime(past.startedMs),
    caller: past.caller ?? t('simulator.replay.withheld'),
  });
  if (past.hidden)
    return (
      <>
        <p className="simulator-unsaved">{of}</p>
        <Notice tone="warn">{t('simulator.replay.hidden')}</Notice>
      </>
    );
  if (!told) return <p className="simulator-unsaved">{of}</p>;
  const { difference } = told;
  const said = (text: string | null): string =>
    text === null ? t('simulator.replay.nothing') : withNames(text, nameOf);
  return (
    <>
      <p className="simulator-unsaved">{of}</p>
      {difference === null ? (
        <Notice tone="good">{t('simulator.replay.same')}</Notice>
      ) : (
        <Notice tone="warn">
          <strong>{t('simulator.replay.differs')}</strong>
          <dl className="simulator-expected">
            <dt>{t('simulator.replay.then', { at: duration(difference.atMs) })}</dt>
            <dd>{said(difference.before)}</dd>
            <dt>{t('simulator.replay.now')}</dt>
            <dd>{said(difference.now)}</dd>
          </dl>
        </Notice>
      )}
    </>
  );
}

/** Reads the newest steps aloud, politely: what came while a screen reader spoke is said in one go. */
export function Spoken({ texts }: { readonly texts: readonly string[] }) {
  const said = useRef(0);
  const [text, setText] = useState('');
  const count = texts.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each further step
  useEffect(() => {
    if (count < said.current) said.current = 0;
    if (count > said.current) setText(texts.slice(said.current).join(' '));
    said.current = count;
  }, [count]);
  return (
    <p className="unseen" aria-live="polite">
      {text}
    </p>
  );
}
