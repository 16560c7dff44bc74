import { describe, expect, it } from 'vitest';
import { workOf } from '../../../../test/support/work.ts';
import { makeGraph } from './graph.ts';
import { stack } from './layout/heights.ts';
import { type Box, layOut } from './layout.ts';
import { NO_RECORDS } from './map-records.ts';
import { bigAccount, TWO_THOUSAND } from './testing/big-account.ts';

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const menu = (id: string, ...destination: string[]) => ({
  id,
  name: id,
  description: '',
  option: destination.map((_, index) => String(index)),
  destination,
  invalid_destination: 'hangup||hangup',
  timeout_destination: 'hangup||hangup',
});

describe('the layout', () => {
  it('puts everything to the right of what leads to it', () => {
    const graph = makeGraph({
      ...NO_RECORDS,
      number: [{ id: 'n', number: '100', destination: 'ivr||a', description: '' }],
      ivr: [menu('a', 'ivr||b', 'ivr||c'), menu('b', 'ivr||c'), menu('c')],
    });
    const { boxes, lines } = layOut(graph);
    const xOf = (id: string) => boxes.get(id)?.x ?? Number.NaN;
    expect([xOf('dialled||n'), xOf('ivr||a'), xOf('ivr||b'), xOf('ivr||c')]).toEqual(
      [0, 1, 2, 3].map((column) => column * (xOf('ivr||a') - xOf('dialled||n'))),
    );
    expect(lines.every(({ x1, x2 }) => x1 < x2)).toBe(true);
  });

  it('leads a line that passes a column between its nodes, not behind them', () => {
    const graph = makeGraph({
      ...NO_RECORDS,
      number: [{ id: 'n', number: '100', destination: 'ivr||a', description: '' }],
      ivr: [menu('a', 'ivr||b', 'ivr||d'), menu('b', 'ivr||c'), menu('c', 'ivr||d'), menu('d')],
    });
    const { boxes, lines } = layOut(graph);
    const far = lines.find(({ from, to }) => from === 'ivr||a' && to === 'ivr||d');
    expect(far?.via.length).toBe(2);
    for (const { x, y } of far?.via ?? []) {
      const hit = [...boxes.values()].some((box) => box.x === x && y >= box.y && y <= box.y + box.height);
      expect(hit).toBe(false);
    }
  });

  it('accepts cycles: only back edges go left', () => {
    const graph = makeGraph({
      ...NO_RECORDS,
      number: [{ id: 'n', number: '100', destination: 'ivr||a', description: '' }],
      ivr: [menu('a', 'ivr||b'), menu('b', 'ivr||a', 'ivr||b')],
    });
    const back = layOut(graph).lines.filter(({ x1, x2 }) => x2 < x1);
    expect(back.map(({ from, to }) => `${from} ${to}`)).toEqual(['ivr||b ivr||a', 'ivr||b ivr||b']);
  });

  it('puts what no number leads to into a band below the rest', () => {
    const graph = makeGraph({
      ...NO_RECORDS,
      number: [{ id: 'n', number: '100', destination: 'ivr||a', description: '' }],
      ivr: [menu('a'), menu('lost', 'ivr||a')],
    });
    const { boxes, band } = layOut(graph);
    expect(band?.y).toBeGreaterThan((boxes.get('ivr||a')?.y ?? 0) + (boxes.get('ivr||a')?.height ?? 0));
    expect(boxes.get('ivr||lost')?.y).toBe(band?.y);
  });

  it('lays out 2,000 nodes without overlaps, and the same each time', () => {
    const graph = makeGraph(bigAccount(TWO_THOUSAND));
    expect(graph.nodes.length).toBe(2_000);
    const first = layOut(graph);
    const boxes = [...first.boxes.values()].sort((a, b) => a.x - b.x || a.y - b.y);
    for (const [index, box] of boxes.entries()) {
      const below = boxes[index + 1];
      if (below) expect(overlap(box, below)).toBe(false);
    }
    expect([...layOut(graph).boxes]).toEqual([...first.boxes]);
    // The aspect ratio is at most 3.
    const { width, height } = first.bounds;
    expect(Math.max(width / height, height / width)).toBeLessThan(3);
  });

  it('does ten times the work for ten times the nodes, or little more', async () => {
    const tenth = Object.fromEntries(Object.entries(TWO_THOUSAND).map(([name, count]) => [name, count / 10]));
    const graphs = [tenth as unknown as typeof TWO_THOUSAND, TWO_THOUSAND].map((sizes) =>
      makeGraph(bigAccount(sizes)),
    );
    const [few = 0, many = 0] = await workOf<typeof import('./layout.ts')>(
      new URL('./layout.ts', import.meta.url),
      graphs.map((graph) => (module) => module.layOut(graph)),
    );
    expect(few).toBeGreaterThan(10_000);
    expect(many / few).toBeLessThan(15);
  });

  it('lays out a chain of 5,000 menus', () => {
    const ivr = Array.from({ length: 5_000 }, (_, index) => menu(String(index), `ivr||${index + 1}`));
    expect(layOut(makeGraph({ ...NO_RECORDS, ivr })).boxes.size).toBe(5_001);
  });
});

describe('a column', () => {
  const tall = (wanted: number) => ({ height: 10, wanted });

  it('puts each where it is wanted when there is room', () => {
    expect(stack([tall(5), tall(100)], 2)).toEqual([0, 95]);
  });

  it('shares what is missing when several want the same place', () => {
    expect(stack([tall(50), tall(50), tall(50)], 2)).toEqual([33, 45, 57]);
  });
});
