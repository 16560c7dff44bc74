import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Loading, Notice } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';
import { NamedLink } from '../calls/named-link.tsx';
import { AddDialog } from './add-dialog.tsx';
import { CallActions } from './call-actions.tsx';
import { ListenDialog } from './listen-dialog.tsx';
import './live.css';
import { type LiveCall, useLiveCalls } from './live-calls.ts';
import { comings } from './live-events.ts';
import { TransferDialog } from './transfer-dialog.tsx';

const TONES: Readonly<Record<LiveCall['state'], Tone>> = {
  calling_agent: 'info',
  menu: 'neutral',
  announcement: 'neutral',
  queue: 'warn',
  ringing: 'info',
  connected: 'good',
  voicemail: 'neutral',
  room: 'good',
  ending: 'neutral',
};
/** Fewer calls need no search. */
const SEARCH_FROM = 10;

interface Opened {
  readonly what: 'transfer' | 'listen' | 'add';
  readonly call: LiveCall;
}

export function Page() {
  const words = useWords();
  const { t } = words;
  const { calls, unanswered, state } = useLiveCalls();
  const columns = useColumns(useHasSeveralNodes(calls));
  const [open, setOpen] = useState<Opened | null>(null);
  const close = (): void => setOpen(null);
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
      {state === 'lost' && <Lost />}
      {unanswered.length > 0 && (
        <div role="status">
          <Notice tone="warn">
            {t('live.unanswered', { count: unanswered.length, nodes: unanswered.join(', ') })}
          </Notice>
        </div>
      )}
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
          <Table
            label={t('live.title')}
            columns={columns}
            rows={calls}
            rowKey={({ id }) => id}
            search={calls.length >= SEARCH_FROM}
            actions={(call) => <CallActions call={call} onOpen={(what) => setOpen({ what, call })} />}
            empty={<NoCalls />}
          />
        </>
      )}
      {open?.what === 'transfer' && (
        <TransferDialog call={open.call} caller={callerText(open.call, words)} onClose={close} />
      )}
      {open?.what === 'listen' && (
        <ListenDialog call={open.call} caller={callerText(open.call, words)} onClose={close} />
      )}
      {open?.what === 'add' && (
        <AddDialog call={open.call} caller={callerText(open.call, words)} onClose={close} />
      )}
    </Frame>
  );
}

/** With SIP off there are no events; other failures are temporary. */
function Lost() {
  const { t } = useWords();
  const { value } = useAsk((signal) => client.getTelephony({ signal }), []);
  return (
    <div role="status">
      <Notice tone="warn">{t(value?.sip === false ? 'live.off' : 'live.lost')}</Notice>
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

function useColumns(withNode: boolean): readonly Column<LiveCall>[] {
  const words = useWords();
  const names = useNames();
  return useMemo(() => {
    const { t } = words;
    return [
      {
        key: 'caller',
        label: t('live.column.caller'),
        value: (call) => `${call.caller_name} ${call.caller ?? ''}`,
        render: (call) => <Caller call={call} />,
      },
      {
        key: 'dialled',
        label: t('live.column.dialled'),
        value: ({ dialled }) => dialled,
        render: ({ dialled }) => <bdi>{dialled}</bdi>,
      },
      {
        key: 'state',
        label: t('live.column.state'),
        value: (call) => t(stateOf(call)),
        render: (call) => (
          <Badge tone={call.consultation === null ? TONES[call.state] : 'warn'}>{t(stateOf(call))}</Badge>
        ),
      },
      {
        key: 'where',
        label: t('live.column.where'),
        value: ({ node, agent }) => `${node ? names(node).name : ''} ${agent ?? ''}`,
        render: (call) => <Where call={call} />,
      },
      {
        key: 'since',
        label: t('live.column.since'),
        value: ({ started_at }) => started_at,
        render: ({ started_at }) => <Ticking since={started_at} />,
        number: true,
      },
      ...(withNode ? [nodeColumn(t('live.column.node'))] : []),
    ];
  }, [words, names, withNode]);
}

const stateOf = ({ state, consultation, consults_for }: LiveCall) => {
  if (consultation !== null) return 'live.state.held';
  return consults_for === null ? (`live.state.${state}` as const) : 'live.state.consultation';
};

const nodeColumn = (label: string): Column<LiveCall> => ({
  key: 'node_id',
  label,
  value: ({ node_id: id }) => id,
  render: ({ node_id: id }) => (id === '' ? '–' : <bdi>{id}</bdi>),
});

function Caller({ call }: { readonly call: LiveCall }) {
  const { t } = useWords();
  const { caller, caller_name: name } = call;
  return (
    <span className="caller">
      <bdi>{caller ?? t('calls.withheld')}</bdi>
      {name && name !== caller && <small>{name}</small>}
    </span>
  );
}

function Where({ call: { node, agent } }: { readonly call: LiveCall }): ReactNode {
  const reference = agent === null ? node : `extension||${agent}`;
  return reference === null ? '–' : <NamedLink reference={reference} />;
}

function Ticking({ since }: { readonly since: string }) {
  const { duration } = useWords();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="live-time">{duration(Math.max(0, now - new Date(since).getTime()))}</span>;
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
