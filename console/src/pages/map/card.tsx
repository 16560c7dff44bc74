// A node of the map that is near enough to be read: its head, and a row for each way. The ends of lines are dots of our own:
// users do not draw lines, and React Flow's handles are measured at every move.
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { Icon } from '../../kit/icon.tsx';
import type { MapNode } from './graph.ts';
import { KIND_ICONS } from './labels.ts';
import type { NodeMark, RowMark } from './overlays/overlay.ts';

export interface CardRow {
  readonly reason: string;
  readonly keys: string;
  readonly goal: string;
  readonly missing: boolean;
  readonly ends: boolean;
  readonly lit: boolean;
  readonly mark: RowMark | null;
}

export interface CardData extends Record<string, unknown> {
  readonly node: MapNode;
  readonly name: string;
  readonly about: string;
  readonly rows: readonly CardRow[];
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
        {mark && <Mark mark={mark} />}
      </div>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Row key={index} row={row} />
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

function Row({ row }: { readonly row: CardRow }) {
  const { mark } = row;
  return (
    <div className={row.lit ? 'map-row map-row-lit' : 'map-row'}>
      {mark?.share ? (
        <span className="map-row-share" style={{ inlineSize: `${Math.min(1, mark.share) * 100}%` }} />
      ) : null}
      {row.keys === '' ? <span className="map-row-reason">{row.reason}</span> : <kbd>{row.keys}</kbd>}
      <span className={row.missing ? 'map-row-goal map-row-missing' : 'map-row-goal'} dir="auto">
        {row.goal}
      </span>
      {mark && (
        <span className={mark.tone ? `map-row-mark map-mark-${mark.tone}` : 'map-row-mark'}>{mark.text}</span>
      )}
      {!row.ends && <span className="map-handle map-handle-out" />}
    </div>
  );
}
