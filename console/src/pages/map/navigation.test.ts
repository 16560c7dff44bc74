import { describe, expect, it } from 'vitest';
import { makeGraph } from './graph.ts';
import { layOut } from './layout.ts';
import {
  centred,
  type Direction,
  fitted,
  isSeen,
  nodeAt,
  opened,
  READ_ZOOM,
  type Stand,
  step,
} from './navigation.ts';
import { OFFICE } from './testing/office.ts';

const graph = makeGraph(OFFICE);
const layout = layOut(graph);
const walk = (from: string, ...directions: Direction[]): string =>
  directions.reduce<Stand>((stand, way) => step(graph, layout, stand, way), { at: from, via: null }).at;

describe('the arrow keys', () => {
  it('go along the lines, and back', () => {
    expect(walk('dialled||n1', 'right')).toBe('ivr||main');
    expect(walk('dialled||n1', 'right', 'right')).toBe('department||sales');
    expect(walk('dialled||n2', 'right', 'left')).toBe('dialled||n2');
  });

  it('go up and down over everything the same node leads to', () => {
    expect(walk('dialled||n1', 'right', 'right', 'down')).toBe('extension||7');
    expect(walk('dialled||n1', 'right', 'right', 'down', 'down')).toBe('extension||8');
    expect(walk('dialled||n1', 'right', 'right', 'down', 'up')).toBe('department||sales');
  });

  it('go over the numbers one by one, and stay at the ends', () => {
    expect([walk('dialled||n1', 'down'), walk('dialled||n1', 'up')].sort()).toEqual([
      'dialled||n1',
      'dialled||n2',
    ]);
    expect(walk('extension||8', 'right')).toBe('extension||8');
    expect(walk('dialled||n1', 'left')).toBe('dialled||n1');
  });
});

describe('the view', () => {
  const size = { width: 800, height: 600 };

  it('fits all of the map, and is never larger than life', () => {
    const view = fitted(layout, size);
    expect(view.zoom).toBeLessThanOrEqual(1);
    for (const id of layout.boxes.keys()) expect(isSeen(layout, id, size, view)).toBe(true);
  });

  it('is readable at first with 100 nodes, and shows all of thousands', () => {
    const agent = (index: number) => ({
      eid: `a${index}`,
      name: `Agent ${index}`,
      intercom: `${index}`,
      custom_status: 0 as const,
      failover_destination: null,
    });
    const of = (count: number) =>
      layOut(makeGraph({ ...OFFICE, agent: Array.from({ length: count }, (_, index) => agent(index)) }));
    expect(opened(of(100), size).zoom).toBeGreaterThanOrEqual(READ_ZOOM);
    expect(opened(of(2_000), size)).toEqual(fitted(of(2_000), size));
  });

  it('brings a node into the middle', () => {
    const view = centred(layout, 'extension||8', size, 1);
    expect(view && isSeen(layout, 'extension||8', size, view)).toBe(true);
    expect(centred(layout, 'ivr||gone', size, 1)).toBeNull();
  });

  it('knows what lies under a point', () => {
    const box = layout.boxes.get('ivr||main');
    expect(nodeAt(layout, (box?.x ?? 0) + 5, (box?.y ?? 0) + 5)).toBe('ivr||main');
    expect(nodeAt(layout, -50, -50)).toBeNull();
  });
});
