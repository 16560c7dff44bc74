import { useCallback, useEffect, useState } from 'react';
import type { Node } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import './nodes.css';

const LOOK_AGAIN_MS = 2000;
/** A node writes every second; one that was silent for so long is dead. */
const SILENT_MS = 5000;
/** Fewer nodes need no search. */
const SEARCH_FROM = 10;
const TONES: Readonly<Record<Node['state'], Tone>> = {
  running: 'good',
  draining: 'warn',
  dead: 'bad',
  left: 'neutral',
};

interface Nodes {
  /** Null if not read yet. */
  readonly nodes: readonly Node[] | null;
  readonly error: unknown;
  readonly look: () => void;
}

/** Read every two seconds while the page is visible. */
function useNodes(): Nodes {
  const [nodes, setNodes] = useState<readonly Node[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks once
  useEffect(() => {
    const stop = new AbortController();
    client.listNodes({ signal: stop.signal }).then(
      ({ data }) => {
        setNodes(data);
        setError(null);
      },
      (cause: unknown) => {
        if (!stop.signal.aborted) setError(cause);
      },
    );
    return () => stop.abort();
  }, [round]);
  const look = useCallback(() => setRound((value) => value + 1), []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) look();
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [look]);
  return { nodes, error, look };
}

export function Page() {
  const { t } = useWords();
  const { nodes, error, look } = useNodes();
  const live = (nodes ?? []).filter(({ state }) => state === 'running' || state === 'draining');
  const calls = live.reduce((sum, node) => sum + node.calls, 0);
  return (
    <Frame title={t('nodes.title')} intro={t('nodes.intro')}>
      {error !== null && <Failure error={error} onAgain={look} />}
      {nodes === null && error === null && <Loading />}
      {nodes && (
        <>
          <p className="nodes-count">
            {t('nodes.live', { count: live.length })} · {t('live.running', { count: calls })}
          </p>
          <NodeTable nodes={nodes} onChanged={look} />
        </>
      )}
    </Frame>
  );
}

function NodeTable({
  nodes,
  onChanged,
}: {
  readonly nodes: readonly Node[];
  readonly onChanged: () => void;
}) {
  const { t, dateTime, relative } = useWords();
  return (
    <Table
      label={t('nodes.title')}
      rows={nodes}
      rowKey={({ id }) => id}
      search={nodes.length >= SEARCH_FROM}
      empty={<Empty icon="nodes" title={t('nodes.empty.title')} text={t('nodes.empty.text')} />}
      columns={[
        {
          key: 'id',
          label: t('nodes.id'),
          value: ({ id }) => id,
          render: ({ id, answers_you: isHere }) => (
            <span className="nodes-id">
              <bdi>{id}</bdi>
              {isHere && <small>{t('nodes.here')}</small>}
            </span>
          ),
        },
        {
          key: 'state',
          label: t('nodes.state'),
          value: ({ state }) => t(`nodes.state.${state}`),
          render: ({ state }) => <Badge tone={TONES[state]}>{t(`nodes.state.${state}`)}</Badge>,
        },
        { key: 'calls', label: t('nodes.calls'), value: ({ calls }) => calls, number: true },
        { key: 'version', label: t('nodes.version'), value: ({ version }) => version },
        {
          key: 'started',
          label: t('nodes.started'),
          value: ({ started_at }) => started_at,
          render: ({ started_at }) => dateTime(started_at),
        },
        {
          key: 'seen',
          label: t('nodes.seen'),
          value: ({ last_seen_at }) => last_seen_at,
          render: ({ last_seen_at: at }) =>
            relative(Date.now() - Date.parse(at) < SILENT_MS ? Date.now() : at),
        },
      ]}
      actions={(node) => (
        <DrainSwitch
          node={node}
          isLast={nodes.every(({ id, state }) => id === node.id || state !== 'running')}
          onChanged={onChanged}
        />
      )}
    />
  );
}

interface DrainSwitchProps {
  readonly node: Node;
  /** No other node takes calls. */
  readonly isLast: boolean;
  readonly onChanged: () => void;
}

/** None for a node that is ending or has ended. */
function DrainSwitch({ node: { id, state, drain, calls }, isLast, onChanged }: DrainSwitchProps) {
  const { t } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const startDrain = async (): Promise<void> => {
    const text = `${t('nodes.drain.text', { count: calls })} ${t(isLast ? 'nodes.drain.last' : 'nodes.drain.others')}`;
    const action = t('nodes.drain');
    if (!(await confirm({ title: t('nodes.drain.title', { id }), text, action, danger: isLast }))) return;
    if (await attempt(() => client.drainNode({ params: { id } }))) toast(t('nodes.drained', { id }));
    onChanged();
  };
  const resume = async (): Promise<void> => {
    if (await attempt(() => client.resumeNode({ params: { id } }))) toast(t('nodes.resumed', { id }));
    onChanged();
  };
  if (state === 'dead' || state === 'left') return null;
  if (drain)
    return (
      <Button aria-label={t('nodes.resume.this', { id })} onClick={() => void resume()}>
        {t('nodes.resume')}
      </Button>
    );
  if (state === 'draining') return null;
  return (
    <Button aria-label={t('nodes.drain.this', { id })} onClick={() => void startDrain()}>
      {t('nodes.drain')}
    </Button>
  );
}
