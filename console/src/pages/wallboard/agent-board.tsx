// Who does what since when, and pausing from here.
import { memo, useState } from 'react';
import { client } from '../../data/client.ts';
import { useServerNow } from '../../data/live.ts';
import type { LiveAgent } from '../../data/live-state.ts';
import { useMay } from '../../data/may.ts';
import { IconButton } from '../../kit/button.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { useToast } from '../../kit/toast.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { agentsByState } from './figures.ts';

interface Props {
  readonly agents: ReadonlyMap<string, LiveAgent>;
  /** Those who are shown. */
  readonly eids: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string>;
}

export const AgentBoard = memo(function AgentBoard({ agents, eids, names }: Props) {
  const { t } = useWords();
  return (
    <div className="board-agents">
      {agentsByState(agents, eids).map(({ state, agents: of }) => (
        <section key={state} className={`board-group board-state-${state}`}>
          <h3>
            {t(`agentState.${state}`)} <span className="board-count">{of.length}</span>
          </h3>
          <ul>
            {of.map((agent) => (
              <Agent key={agent.eid} agent={agent} name={names.get(agent.eid) ?? agent.eid} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
});

interface AgentProps {
  readonly agent: LiveAgent;
  readonly name: string;
}

const Agent = memo(function Agent({ agent, name }: AgentProps) {
  const { t } = useWords();
  const toast = useToast();
  const may = useMay();
  const [busy, setBusy] = useState(false);
  const isPaused = agent.paused !== null;
  const change = async (): Promise<void> => {
    setBusy(true);
    const params = { eid: agent.eid };
    try {
      if (isPaused) await client.resumeAgent({ params });
      else await client.pauseAgent({ params, body: { reason: t('board.pause.reason') } });
      toast(t(isPaused ? 'board.resumed' : 'board.paused', { name }));
    } catch (error) {
      toast(sentenceOf(error, t), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="board-agent">
      <span className="board-agent-name">
        <Link to={pathTo('agents', agent.eid)}>{name}</Link>
        {agent.paused?.reason && <small>{agent.paused.reason}</small>}
      </span>
      {agent.since !== null && <Lasting since={agent.since} />}
      {may(isPaused ? 'resumeAgent' : 'pauseAgent') && (
        <IconButton
          icon={isPaused ? 'play' : 'pause'}
          label={t(isPaused ? 'board.resume.of' : 'board.pause.of', { name })}
          disabled={busy}
          onClick={() => void change()}
        />
      )}
    </li>
  );
});

/** A duration that goes on, by the service's clock. */
export function Lasting({ since }: { readonly since: string }) {
  const { duration } = useWords();
  const now = useServerNow();
  return <span className="board-time">{duration(Math.max(0, now - new Date(since).getTime()))}</span>;
}
