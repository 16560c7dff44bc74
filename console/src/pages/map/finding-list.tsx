import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { translated } from '../../words/translator.ts';
import { useWords } from '../../words/words.tsx';
import type { NodeId } from './graph.ts';
import type { Finding } from './overlays/checks.ts';

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** The name before each finding, in a list about several records. */
  readonly nameOf?: (id: NodeId) => string;
  readonly onFix: (finding: Finding) => void;
}

const MOST_SHOWN = 200;

export function FindingList({ findings, nameOf, onFix }: FindingListProps) {
  const { t } = useWords();
  return (
    <ul className="map-findings">
      {findings.slice(0, MOST_SHOWN).map((finding) => (
        <li key={`${finding.node} ${finding.code} ${finding.pointer}`}>
          <Badge tone={finding.severity === 'error' ? 'bad' : 'warn'}>
            {t(`map.checks.${finding.severity}`)}
          </Badge>
          <p>
            {nameOf && <strong dir="auto">{nameOf(finding.node)} </strong>}
            {translated(finding.message)}
          </p>
          <Button
            aria-label={t('map.checks.fixAt', { message: translated(finding.message) })}
            onClick={() => onFix(finding)}
          >
            {t('map.checks.fix')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
