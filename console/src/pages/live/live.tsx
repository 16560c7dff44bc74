import { useEffect, useMemo, useRef, useState } from 'react';
import { useLiveCalls } from '../../data/live.ts';
import { comings, type LiveCall } from '../../data/live-state.ts';
import { useRecords } from '../../data/records.ts';
import { TextField } from '../../kit/field.tsx';
import { MissingNodes } from '../../kit/missing-nodes.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Loading, Notice } from '../../kit/states.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';
import { CallGroups } from '../wallboard/call-groups.tsx';
import { useCalm } from '../wallboard/calm.ts';
import { ALL_CALLS, callGroups } from '../wallboard/figures.ts';
import './live.css';

/** Fewer calls need no search. */
const SEARCH_FROM = 10;

export function Page() {
  const { t } = useWords();
  const { calls: all, unanswered, state } = useLiveCalls();
  const calls = useCalm(all);
  const withNode = useHasSeveralNodes(calls);
  const [text, setText] = useState('');
  const { items: departments } = useRecords('department');
  const groups = useMemo(
    () => callGroups(calls, departments, { ...ALL_CALLS, text }),
    [calls, departments, text],
  );
  return (
    <Frame
      title={t('live.title')}
      intro={t('live.intro')}
      actions={
        <Link className="button button-plain" to="/map?show=live">
          {t('live.onMap')}
        </Link>
      }
    >
      <Announcements calls={calls} ready={state === 'open'} />
      {(state === 'lost' || state === 'off') && <Lost isOff={state === 'off'} />}
      <MissingNodes nodes={unanswered} />
      {state === 'opening' ? (
        <Loading />
      ) : (
        <>
          {calls.length > 0 && (
            <p className="live-count">
              <span className="live-pulse" aria-hidden="true" />
              {t('live.running', { count: calls.length })}
            </p>
          )}
          {(calls.length >= SEARCH_FROM || text !== '') && (
            <TextField label={t('board.filter.text')} value={text} onChange={setText} />
          )}
          <CallGroups groups={groups} withNode={withNode} level={2} />
          {calls.length === 0 && <NoCalls />}
          {calls.length > 0 && groups.length === 0 && <p>{t('board.noMatch')}</p>}
        </>
      )}
    </Frame>
  );
}

/** With SIP off there are no events; other failures are temporary. */
function Lost({ isOff }: { readonly isOff: boolean }) {
  const { t } = useWords();
  return (
    <div role="status">
      <Notice tone="warn">{t(isOff ? 'live.off' : 'live.lost')}</Notice>
    </div>
  );
}

function NoCalls() {
  const { t } = useWords();
  return (
    <Empty
      icon="live"
      title={t('live.empty.title')}
      text={t('live.empty.text')}
      action={<Link to="/calls">{t('live.empty.action')}</Link>}
    />
  );
}

/** The column stays once it was needed. A call that has just begun has no node until the list is read. */
function useHasSeveralNodes(calls: readonly LiveCall[]): boolean {
  const seen = useRef(new Set<string>());
  for (const { node_id: id } of calls) if (id !== '') seen.current.add(id);
  return seen.current.size > 1;
}

/** A live region for calls that came and ended; durations are not announced. */
function Announcements({ calls, ready }: { readonly calls: readonly LiveCall[]; readonly ready: boolean }) {
  const words = useWords();
  const before = useRef<readonly LiveCall[] | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const former = before.current;
    before.current = ready ? calls : null;
    if (!ready || former === null) return;
    const { came, went } = comings(former, calls);
    const count = came.length + went.length;
    if (count === 0) return;
    const [first] = came;
    const [last] = went;
    if (count > 1) setText(words.t('live.announce.many', { came: came.length, went: went.length }));
    else if (first)
      setText(words.t('live.announce.came', { caller: callerText(first, words), dialled: first.dialled }));
    else if (last) setText(words.t('live.announce.went', { caller: callerText(last, words) }));
  }, [calls, ready, words]);
  return (
    <p className="unseen" role="status">
      {text}
    </p>
  );
}
