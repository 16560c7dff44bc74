// The path of the call in one line, with the reasons.

import { Fragment } from 'react';
import type { TrailEntry } from '../../../../src/flow/trail.ts';
import type { Named } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import { pathOf } from './path.ts';

const REASONS = ['invalid', 'timeout', 'open', 'closed', 'then', 'member', 'failover'] as const;

interface WayProps {
  readonly steps: readonly TrailEntry[];
  readonly nameOf: (reference: string) => Named;
}

export function Way({ steps, nameOf }: WayProps) {
  const { t } = useWords();
  const { visited, edges } = pathOf(steps);
  const [first] = visited;
  if (first === undefined) return null;
  const why = (label: string): string => {
    const reason = REASONS.find((each) => each === label);
    return reason ? t(`simulator.way.${reason}`) : t('simulator.way.key', { keys: label });
  };
  return (
    <section className="simulator-way" aria-label={t('simulator.path')}>
      <span>{nameOf(edges[0]?.from ?? first).name}</span>
      {edges.map(({ from, label, to }) => (
        <Fragment key={`${from} ${label} ${to}`}>
          <small>{why(label)} →</small>
          <span>{nameOf(to).name}</span>
        </Fragment>
      ))}
    </section>
  );
}
