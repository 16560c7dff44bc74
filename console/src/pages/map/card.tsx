// A node of the map that is near enough to be read: its head, and a row for each way. The ends of lines are elements of our own,
// since React Flow's handles are measured at every move. A line is drawn from `data-row` by edit/use-line.ts.
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import type { MapNode } from './graph.ts';
import { KIND_ICONS } from './labels.ts';
import type { NodeMark, RowMark } from './overlays/overlay.ts';

export interface CardRow {
  readonly reason: string;
  readonly keys: string;
  readonly goal: string;
  readonly missing: boolean;
  /** It leads nowhere, and nothing was chosen. */
  readonly unset: boolean;
  /** Agents of a department, as one row that opens. */
  readonly fold: 'open' | 'closed' | null;
  /** No line is drawn from it by hand. */
  readonly fixed: boolean;
  readonly lit: boolean;
  readonly mark: RowMark | null;
}

export interface CardData extends Record<string, unknown> {
  readonly node: MapNode;
  readonly name: string;
  readonly about: string;
  readonly rows: readonly CardRow[];
  /** Whether more can lead on from here than its rows. */
  readonly extends: boolean;
  /** Whether any line ends here. */
  readonly reachable: boolean;
  readonly mark: NodeMark | null;
  readonly selected: boolean;
  readonly standing: boolean;
  readonly lit: boolean;
  readonly current: boolean;
}

export type CardNode = Node<CardData, 'card'>;

export const Card = memo(function Card({ data }: NodeProps<CardNode>) {
  const { node, name, about, rows, mark } = data;
  const { t } = useWords();
  const states = [
    `map-card map-card-${node.kind}`,
    node.reached ? '' : 'map-card-unreached',
    node.draft ? 'map-card-draft' : '',
    data.selected ? 'map-card-selected' : '',
    data.standing ? 'map-card-standing' : '',
    data.lit ? 'map-card-lit' : '',
    data.current ? 'map-card-current' : '',
  ];
  const urgent = mark && !mark.brief && (mark.tone === 'bad' || mark.tone === 'warn') ? mark : null;
  return (
    <div className={states.filter(Boolean).join(' ')} title={mark?.text}>
      {data.reachable && <span className="map-handle map-handle-in" />}
      <div className="map-card-head">
        <span className="map-card-icon">
          <Icon name={KIND_ICONS[node.kind]} />
        </span>
        {/* The map is one tab stop; arrow keys move within it. */}
        <button type="button" tabIndex={-1} className="map-card-name">
          <span dir="auto">{name}</span>
          <small className={urgent ? `map-text-${urgent.tone}` : ''} dir="auto">
            {urgent ? urgent.text : about}
          </small>
        </button>
        {mark && <Mark mark={urgent && mark.badge === mark.text ? { ...mark, badge: '' } : mark} />}
        {data.extends && <Handle row="" label={t('map.edit.more', { name })} className="map-card-add" />}
      </div>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Row key={index} row={row} index={index} />
      ))}
    </div>
  );
});

function Mark({ mark: { tone, badge } }: { readonly mark: NodeMark }) {
  return (
    <span className={`map-mark map-mark-${tone}`}>
      {tone === 'bad' || tone === 'warn' ? <Icon name={tone} size={13} /> : null}
      {badge}
    </span>
  );
}

interface HandleProps {
  /** The row that a line begins at; empty: none yet. */
  readonly row: number | '';
  readonly label: string;
  readonly className: string;
}

/** A line is drawn from it; a click asks for the destination. */
function Handle({ row, label, className }: HandleProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`nopan ${className}`}
      data-row={row}
      title={label}
      aria-label={label}
    />
  );
}

function Row({ row, index }: { readonly row: CardRow; readonly index: number }) {
  const { t } = useWords();
  const { mark } = row;
  const states = ['map-row', row.lit ? 'map-row-lit' : '', row.unset ? 'map-row-unset' : ''];
  return (
    <div className={states.filter(Boolean).join(' ')}>
      {mark?.share ? (
        <span className="map-row-share" style={{ inlineSize: `${Math.min(1, mark.share) * 100}%` }} />
      ) : null}
      {row.keys === '' ? <span className="map-row-reason">{row.reason}</span> : <kbd>{row.keys}</kbd>}
      {row.fold === null ? (
        <span className={row.missing ? 'map-row-goal map-row-missing' : 'map-row-goal'} dir="auto">
          {row.goal}
        </span>
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className="map-row-fold nopan"
          data-fold=""
          aria-expanded={row.fold === 'open'}
        >
          {row.goal}
          <Icon name={row.fold === 'open' ? 'up' : 'down'} size={13} />
        </button>
      )}
      {mark && (
        <span className={mark.tone ? `map-row-mark map-mark-${mark.tone}` : 'map-row-mark'}>{mark.text}</span>
      )}
      {row.fixed ? (
        <span className="map-handle map-handle-end" />
      ) : (
        <Handle
          row={index}
          label={t('map.edit.at', { reason: row.reason })}
          className="map-handle map-handle-out"
        />
      )}
    </div>
  );
}
