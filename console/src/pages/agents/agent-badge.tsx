// The state of an agent and the registered phones, as lists, pickers and the map show them.
import type { LiveAgent } from '../../data/live-state.ts';
import { STATE_TONES } from '../../kit/agent-tones.ts';
import { Badge } from '../../kit/badge.tsx';
import { Since } from '../../kit/since.tsx';
import { useWords } from '../../words/words.tsx';

/** Those whose duration matters at a glance. */
const TIMED: ReadonlySet<LiveAgent['state']> = new Set(['talking', 'ringing', 'wrap_up', 'paused']);

export function AgentBadge({ agent }: { readonly agent: LiveAgent | undefined }) {
  const { t } = useWords();
  if (!agent) return <span className="records-quiet">{t('now.unknown')}</span>;
  const { state, since } = agent;
  return (
    <span className="now">
      <Badge tone={STATE_TONES[state]}>{t(`agentState.${state}`)}</Badge>
      {since !== null && TIMED.has(state) && <Since at={since} />}
    </span>
  );
}

/** Without a phone an agent may be reached by the follow-me number: red only if not. */
export function PhonesNow({ agent }: { readonly agent: LiveAgent | undefined }) {
  const { t, dateTime } = useWords();
  if (!agent) return <span className="records-quiet">{t('now.unknown')}</span>;
  const { registered, reachable, none_since: since } = agent.phones;
  if (registered === 0)
    return (
      <span className={agent.state === 'unreachable' ? 'now-bad' : 'records-quiet'}>
        {since === null ? t('now.phones.none') : t('now.phones.noneSince', { time: dateTime(since) })}
      </span>
    );
  if (reachable === registered) return <span>{t('now.phones.count', { count: registered })}</span>;
  return (
    <span className="now-bad">
      {reachable === 0 ? t('now.phones.silent') : t('now.phones.some', { reachable, count: registered })}
    </span>
  );
}
