// What is painted over the map, whatever it is about: a word on a node, and on its lines. Colour never says anything alone.
import type { MapNode, NodeId, Way } from '../graph.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'heat-1' | 'heat-2' | 'heat-3' | 'heat-4' | 'heat-5';

export interface RowMark {
  /** Short: it stands at the end of a line. */
  readonly text: string;
  readonly tone: Tone | null;
  /** How much of the line is filled, 0 to 1; null: it is no share of anything. */
  readonly share: number | null;
}

export interface NodeMark {
  readonly tone: Tone;
  /** Short: it stands beside the name. */
  readonly badge: string;
  /** The whole of it, in words. */
  readonly text: string;
  /** By the node's lines. */
  readonly rows: ReadonlyMap<number, RowMark>;
  /** What the node is says more here than the text of the mark. */
  readonly brief?: boolean;
}

export type Overlay = ReadonlyMap<NodeId, NodeMark>;

export const NO_OVERLAY: Overlay = new Map();
export const NO_ROWS: ReadonlyMap<number, RowMark> = new Map();

/** Which line of a node a way by this reason is: keys as pressed, or the word of the reason; -1: none. */
export function rowOf({ ways }: Pick<MapNode, 'ways'>, label: string): number {
  const key = ways.findIndex((way) => way.reason === 'key' && way.keys === label);
  return key >= 0 ? key : ways.findIndex((way) => way.reason !== 'key' && way.reason === label);
}

/** Which line a place in the record belongs to; -1: to none, or to the record as a whole. */
export function rowAt({ ways }: Pick<MapNode, 'ways'>, pointer: string): number {
  // A key and its template belong to the line of where it leads.
  const place = pointer.replace(/^\/(?:option|sms_template|webhook)\//, '/destination/');
  const says = (way: Way): boolean => place === way.pointer || place.startsWith(`${way.pointer}/`);
  return ways.findIndex(says);
}
