import type { LiveTrunk } from '../../data/live-state.ts';
import { Badge } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { reasonOf, trunkNow } from './trunk-now.ts';

interface TrunkBadgeProps {
  readonly trunk: { readonly enabled: boolean };
  readonly state: LiveTrunk | undefined;
}

export function useTrunkReason(): (problem: string) => string {
  const { t } = useWords();
  return (problem) => {
    const reason = reasonOf(problem);
    return reason ? t(reason.key, reason.values) : problem;
  };
}

export function TrunkBadge({ trunk, state }: TrunkBadgeProps) {
  const { t } = useWords();
  const reason = useTrunkReason();
  const { tone, label } = trunkNow(trunk, state);
  const problem = trunk.enabled ? (state?.problem ?? null) : null;
  return (
    <span className="now">
      <Badge tone={tone}>{t(label)}</Badge>
      {problem !== null && <span className="records-quiet">{reason(problem)}</span>}
    </span>
  );
}
