// An overlay of the map: a badge on a node and on its lines. Colour is never the only sign.
import type { MapNode, NodeId, Way } from '../graph.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'heat-1' | 'heat-2' | 'heat-3' | 'heat-4' | 'heat-5';

export interface RowMark {
  /** Short: shown at the end of a row. */
  readonly text: string;
  readonly tone: Tone | null;
  /** The filled part of the row, 0 to 1; null: not a share. */
  readonly share: number | null;
}

export interface NodeMark {
  readonly tone: Tone;
  /** Short: shown beside the name. */
  readonly badge: string;
  /** The full text. */
  readonly text: string;
  /** By the node's rows. */
  readonly rows: ReadonlyMap<number, RowMark>;
  /** The node's kind is shown instead of the text. */
  readonly brief?: boolean;
}

export type Overlay = ReadonlyMap<NodeId, NodeMark>;

export const NO_OVERLAY: Overlay = new Map();
export const NO_ROWS: ReadonlyMap<number, RowMark> = new Map();

/** The row of a node for this reason: pressed keys, or the reason's name; -1: none. */
export function rowOf({ ways }: Pick<MapNode, 'ways'>, label: string): number {
  const key = ways.findIndex((way) => way.reason === 'key' && way.keys === label);
  return key >= 0 ? key : ways.findIndex((way) => way.reason !== 'key' && way.reason === label);
}

/** The row of a JSON pointer into the record; -1: none, or the record as a whole. */
export function rowAt({ ways }: Pick<MapNode, 'ways'>, pointer: string): number {
  // A key, its SMS template and its webhook belong to the row of its destination.
  const place = pointer.replace(/^\/(?:option|sms_template|webhook)\//, '/destination/');
  const says = (way: Way): boolean => place === way.pointer || place.startsWith(`${way.pointer}/`);
  return ways.findIndex(says);
}
