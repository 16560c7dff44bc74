import { IconButton } from '../../kit/button.tsx';
import { useWords } from '../../words/words.tsx';
import { FindingList } from './finding-list.tsx';
import type { MapGraph, NodeId } from './graph.ts';
import type { Labels } from './labels.ts';
import type { Finding } from './overlays/checks.ts';
import { Panel } from './panel.tsx';

interface ChecksPanelProps {
  readonly graph: MapGraph;
  readonly labels: Labels;
  readonly findings: readonly Finding[];
  readonly onFix: (finding: Finding) => void;
  readonly onClose: () => void;
}

/** What the checks found, beside the map. */
export function ChecksPanel({ graph, labels, findings, onFix, onClose }: ChecksPanelProps) {
  const { t } = useWords();
  const nameOf = (id: NodeId): string => {
    const node = graph.byId.get(id);
    return node ? labels.name(node) : id;
  };
  return (
    <Panel label={t('map.checks')} about="" calm onClose={onClose}>
      <div className="map-summary">
        <header>
          <h2>{t('map.checks')}</h2>
          <IconButton icon="close" label={t('map.panel.close')} onClick={onClose} />
        </header>
        <FindingList findings={findings} nameOf={nameOf} onFix={onFix} />
      </div>
    </Panel>
  );
}
