// Each step of the call with its time and reason. Selecting a step shows its node.

import { useEffect, useRef } from 'react';
import type { Ref } from '../../../../src/flow/node.ts';
import { clockText } from '../../../../src/flow/timeline.ts';
import type { TrailCode, TrailEntry } from '../../../../src/flow/trail.ts';
import type { Named } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import { withNames } from './names.ts';

type Tone = 'plain' | 'sound' | 'key' | 'good' | 'warn' | 'bad';

/** As the command line colours them (src/flow/timeline.ts). */
const TONES: Partial<Record<TrailCode, Tone>> = {
  playing: 'sound',
  'key-pressed': 'key',
  'key-kept': 'key',
  'option-matched': 'good',
  connected: 'good',
  'voicemail-saved': 'good',
  'queue-turn': 'good',
  'invalid-retry': 'warn',
  'invalid-final': 'warn',
  'timeout-retry': 'warn',
  'timeout-final': 'warn',
  'key-ignored': 'warn',
  'keys-dropped': 'warn',
  'agent-busy': 'warn',
  'agent-unreachable': 'warn',
  'agent-paused': 'warn',
  'no-answer': 'warn',
  'agent-blocked': 'warn',
  'agent-outside-hours': 'warn',
  'do-not-disturb': 'warn',
  forwarded: 'warn',
  'queue-returned': 'warn',
  'queue-full': 'warn',
  'queue-empty': 'warn',
  'queue-timeout': 'warn',
  failover: 'warn',
  'recording-missing': 'bad',
  'destination-missing': 'bad',
  'hop-limit': 'bad',
  apology: 'bad',
  'status-sent': 'bad',
};

interface TimelineProps {
  readonly steps: readonly TrailEntry[];
  readonly nameOf: (reference: string) => Named;
  /** The selected step; null: the current one. */
  readonly selected: number | null;
  readonly onSelect: (index: number, node: Ref) => void;
}

export function Timeline({ steps, nameOf, selected, onSelect }: TimelineProps) {
  const { t } = useWords();
  const list = useRef<HTMLOListElement>(null);
  const count = steps.length;
  // Scrolls the list to the newest step, not the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each further step
  useEffect(() => {
    const { current } = list;
    if (current) current.scrollTop = current.scrollHeight;
  }, [count]);
  if (count === 0) return <p className="simulator-none">{t('simulator.steps.empty')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol className="simulator-steps" ref={list} aria-label={t('simulator.steps')} tabIndex={0}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
        <li key={index} data-tone={TONES[step.code] ?? 'plain'} data-code={step.code}>
          <time>{clockText(step.atMs).slice(0, -2)}</time>
          <Step
            step={step}
            text={withNames(step.text, nameOf)}
            selected={selected === index}
            onSelect={(node) => onSelect(index, node)}
          />
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  readonly step: TrailEntry;
  readonly text: string;
  readonly selected: boolean;
  readonly onSelect: (node: Ref) => void;
}

function Step({ step: { node }, text, selected, onSelect }: StepProps) {
  const { t } = useWords();
  if (node === null) return <span>{text}</span>;
  return (
    <button
      type="button"
      title={t('simulator.steps.show')}
      aria-pressed={selected}
      onClick={() => onSelect(node)}
    >
      {text}
    </button>
  );
}
