// Which record is replayed, and whether the call takes the same way on today's flow; and a live region for screen readers.

import { useEffect, useRef, useState } from 'react';
import { useNamesInTexts } from '../../data/names.ts';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import type { CurrentCall } from './current-call.ts';
import { withNames } from './names.ts';
import type { PastCall } from './replay.ts';

interface ReplayNoticeProps {
  readonly past: PastCall | null;
  readonly replay: CurrentCall['replay'];
}

export function ReplayNotice({ past, replay }: ReplayNoticeProps) {
  const { t, dateTime, duration } = useWords();
  const nameOf = useNamesInTexts();
  if (!past) return <Notice tone="warn">{t('simulator.replay.impossible')}</Notice>;
  const of = t('simulator.replay.of', {
    when: dateTime(past.startedMs),
    caller: past.caller ?? t('simulator.replay.withheld'),
  });
  if (past.hidden || past.cut)
    return (
      <>
        <p className="simulator-unsaved">{of}</p>
        <Notice tone="warn">{t(past.hidden ? 'simulator.replay.hidden' : 'simulator.replay.cut')}</Notice>
      </>
    );
  if (!replay) return <p className="simulator-unsaved">{of}</p>;
  const { difference } = replay;
  const stepText = (text: string | null): string =>
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
            <dd>{stepText(difference.before)}</dd>
            <dt>{t('simulator.replay.now')}</dt>
            <dd>{stepText(difference.now)}</dd>
          </dl>
        </Notice>
      )}
    </>
  );
}

/** A polite live region with the newest steps; steps that come while a screen reader speaks are joined. */
export function Spoken({ texts }: { readonly texts: readonly string[] }) {
  const announced = useRef(0);
  const [text, setText] = useState('');
  const count = texts.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each further step
  useEffect(() => {
    if (count < announced.current) announced.current = 0;
    if (count > announced.current) setText(texts.slice(announced.current).join(' '));
    announced.current = count;
  }, [count]);
  return (
    <p className="unseen" aria-live="polite">
      {text}
    </p>
  );
}
