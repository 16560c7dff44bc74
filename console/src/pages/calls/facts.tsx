import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: string];

interface FactsProps {
  readonly facts: readonly Fact[];
  /** Further entries. */
  readonly children?: ReactNode;
}

export const Facts = ({ facts, children }: FactsProps) => (
  <dl className="calls-facts">
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
    {children}
  </dl>
);
