// The map as an outline: the same data for screen readers and small screens.
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { isEntry, type MapGraph, type MapNode, type NodeId, type Way } from './graph.ts';
import { KIND_ICONS, type Labels } from './labels.ts';
import type { Overlay, RowMark } from './overlays/overlay.ts';
import type { LitPath } from './overlays/path.ts';

interface OutlineProps {
  readonly graph: MapGraph;
  readonly labels: Labels;
  readonly overlay: Overlay;
  readonly lit: LitPath;
  readonly selected: NodeId | null;
  readonly onSelect: (id: NodeId) => void;
}

/** Small accounts are expanded to their menus; large ones are folded. */
const SMALL = 60;
const AT_ONCE = 100;

export function Outline(props: OutlineProps) {
  const { graph } = props;
  const { t } = useWords();
  const roots = graph.nodes.filter(({ kind }) => kind === 'dialled');
  const trunks = graph.nodes.filter((node) => node.kind === 'trunk' && isEntry(node));
  const lost = graph.nodes.filter(({ reached }) => !reached);
  return (
    <div className="map-outline">
      {roots.length > 0 && (
        <section>
          <h2>{t('map.numbers')}</h2>
          <Items {...props} nodes={roots} depth={graph.nodes.length <= SMALL ? 2 : 0} />
        </section>
      )}
      {trunks.length > 0 && (
        <section>
          <h2>{t('map.trunks')}</h2>
          <Items {...props} nodes={trunks} depth={0} />
        </section>
      )}
      {lost.length > 0 && (
        <section>
          <h2>{t('map.band')}</h2>
          <p>{t('map.band.text')}</p>
          <Items {...props} nodes={lost} depth={0} />
        </section>
      )}
    </div>
  );
}

interface Branch extends OutlineProps {
  /** The ancestors: a node that repeats is named, not expanded. */
  readonly above?: readonly NodeId[];
  /** How many levels are expanded at first. */
  readonly depth: number;
}

function Items({ nodes, ...branch }: Branch & { readonly nodes: readonly MapNode[] }) {
  const { t } = useWords();
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <ul>
      {nodes.slice(0, shown).map((node) => (
        <li key={node.id}>
          <Item {...branch} node={node} />
        </li>
      ))}
      {nodes.length > shown && (
        <li>
          <Button kind="quiet" onClick={() => setShown(shown + AT_ONCE)}>
            {t('map.more', { count: Math.min(AT_ONCE, nodes.length - shown) })}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Item({ node, ...branch }: Branch & { readonly node: MapNode }) {
  const { labels, overlay, lit, selected, onSelect, above = [], depth } = branch;
  const { t } = useWords();
  const [open, setOpen] = useState(depth > 0);
  const again = above.includes(node.id);
  const [name, mark] = [labels.name(node), overlay.get(node.id)];
  const states = [
    'map-item',
    node.id === selected ? 'map-item-on' : '',
    lit.nodes.has(node.id) ? 'map-item-lit' : '',
  ];
  return (
    <>
      <div className={states.filter(Boolean).join(' ')}>
        {node.ways.length > 0 && !again ? (
          <button
            type="button"
            className="map-twist"
            aria-expanded={open}
            aria-label={t('map.expand', { name })}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'down' : 'arrow'} size={14} />
          </button>
        ) : (
          <span className="map-twist" />
        )}
        <button
          type="button"
          className={`map-item-name map-item-${node.kind}`}
          aria-pressed={node.id === selected}
          onClick={() => onSelect(node.id)}
        >
          <Icon name={KIND_ICONS[node.kind]} />
          <span dir="auto">{again ? t('map.again', { name }) : name}</span>
          <small>{labels.about(node)}</small>
        </button>
        {mark && <span className={`map-mark map-mark-${mark.tone}`}>{mark.badge}</span>}
      </div>
      {mark && <p className="map-item-text">{mark.text}</p>}
      {open && !again && (
        <ul>
          {node.ways.map((way, row) => (
            <WayItem
              key={way.pointer}
              {...branch}
              way={way}
              mark={mark?.rows.get(row) ?? null}
              above={[...above, node.id]}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function WayItem({ way, mark, ...branch }: Branch & { readonly way: Way; readonly mark: RowMark | null }) {
  const { graph, labels, depth } = branch;
  const targets = way.to.flatMap((id) => graph.byId.get(id) ?? []);
  return (
    <li className="map-way">
      <span className="map-item-reason">
        {labels.reason(way)}
        {mark && <small>{mark.text}</small>}
        {way.ends !== null && <span>{labels.goal(way)}</span>}
      </span>
      {targets.length > 0 && <Items {...branch} nodes={targets} depth={depth - 1} />}
    </li>
  );
}
