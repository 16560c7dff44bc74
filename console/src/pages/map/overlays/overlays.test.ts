import { describe, expect, it } from 'vitest';
import { makeGraph } from '../graph.ts';
import { layOut } from '../layout.ts';
import { OFFICE } from '../testing/office.ts';
import { checksOverlay, type Finding, findingsByNode } from './checks.ts';
import { dotsOf, liveOverlay, MOST_DOTS, nodeOf } from './live.ts';
import { litPath } from './path.ts';
import { heatOf, statisticsOverlay } from './statistics.ts';

const graph = makeGraph(OFFICE);

describe('checks', () => {
  const finding = (severity: Finding['severity'], pointer: string): Finding => ({
    code: 'dead-end',
    severity,
    node: 'ivr||main',
    pointer,
    message: `${severity} at ${pointer}.`,
  });
  const found = findingsByNode([
    finding('warning', '/option/1'),
    finding('error', '/timeout_destination'),
    finding('warning', '/recording'),
  ]);
  const mark = checksOverlay(graph, found, (count) => String(count)).get('ivr||main');

  it('mark a node with its worst finding, how many there are, and what they say', () => {
    expect([mark?.tone, mark?.badge]).toEqual(['bad', '3']);
    expect(mark?.text.startsWith('error at /timeout_destination.')).toBe(true);
  });

  it('mark the line a finding is about: a key is the line of its destination', () => {
    expect([...(mark?.rows ?? [])].map(([row, { tone }]) => [row, tone])).toEqual([
      [3, 'bad'],
      [1, 'warn'],
    ]);
  });

  it('leave out what is not on the map', () => {
    const other = findingsByNode([{ ...finding('error', ''), node: 'ivr||gone' }]);
    expect(checksOverlay(graph, other, String).size).toBe(0);
  });
});

describe('the path of a tried call', () => {
  it('lights the lines by what was pressed or why the call went on', () => {
    const lit = litPath(
      graph,
      {
        visited: ['ivr||main', 'department||sales', 'extension||8'],
        current: 'extension||8',
        edges: [
          { from: 'ivr||main', label: '1' },
          { from: 'department||sales', label: 'member' },
        ],
      },
      'dialled||n1',
    );
    expect([...lit.lines]).toEqual(['dialled||n1 0', 'ivr||main 0', 'department||sales 0']);
    expect(lit.nodes.has('dialled||n1')).toBe(true);
    expect(lit.current).toBe('extension||8');
  });

  it('takes a key that is named like no reason, and a reason that is no key', () => {
    const edges = [{ from: 'ivr||main', label: 'timeout' }];
    expect([...litPath(graph, { visited: ['ivr||main'], current: null, edges }, null).lines]).toEqual([
      'ivr||main 3',
    ]);
  });
});

describe('live calls', () => {
  const call = (id: string, node: string | null, agent: string | null = null) => ({
    id,
    node,
    agent,
    entry: 'ivr||main',
  });

  it('stand at the agent they talk to, else where they wait, else where they came in', () => {
    expect(nodeOf(graph, call('a', 'department||sales', '7'))).toBe('extension||7');
    expect(nodeOf(graph, call('a', 'department||sales'))).toBe('department||sales');
    expect(nodeOf(graph, call('a', null))).toBe('ivr||main');
    expect(nodeOf(graph, { ...call('a', 'ivr||gone'), entry: 'ivr||gone' })).toBeNull();
  });

  it('are counted at their node and have a dot each, no two at the same place', () => {
    const calls = Array.from({ length: 30 }, (_, index) => call(`c${index + 10}`, 'ivr||main'));
    const overlay = liveOverlay(graph, calls, (count) => ({ badge: String(count), text: '' }));
    expect(overlay.get('ivr||main')?.badge).toBe('30');
    const dots = dotsOf(graph, layOut(graph), calls);
    expect(new Set(dots.map(({ x, y }) => `${x} ${y}`)).size).toBe(30);
    expect(dotsOf(graph, layOut(graph), calls.slice(0, 5))).toEqual(dots.slice(0, 5));
  });

  it('have a limited number of dots', () => {
    const calls = Array.from({ length: MOST_DOTS + 50 }, (_, index) => call(String(index), 'ivr||main'));
    expect(dotsOf(graph, layOut(graph), calls).length).toBe(MOST_DOTS);
  });
});

describe('statistics', () => {
  const words = {
    number: String,
    percent: (value: number) => `${Math.round(value * 100)} %`,
    all: () => 'all of it',
    phone: () => 'calls',
  };
  const figures = {
    visits: 50,
    dropOffRate: 0.3,
    invalidRate: 0.04,
    timeoutRate: null,
    options: [{ keys: '2', count: 20, share: 0.4 }],
  };
  const overlay = (measure: 'visits' | 'dropOff' | 'timeout') =>
    statisticsOverlay(graph, new Map([['ivr||main', figures]]), new Map(), measure, words).get('ivr||main');

  it('paint a menu by the chosen measure and write its number', () => {
    expect(overlay('visits')).toMatchObject({ tone: 'heat-5', badge: '50' });
    expect(overlay('dropOff')).toMatchObject({ tone: 'heat-5', badge: '30 %' });
    expect(overlay('timeout')).toMatchObject({ tone: 'heat-1', badge: '–' });
  });

  it('show how often each key was pressed, including keys that were never pressed', () => {
    const rows = overlay('visits')?.rows;
    expect(rows?.get(0)?.text).toBe('0 · 0 %');
    expect(rows?.get(1)).toMatchObject({ text: '20 · 40 %', share: 0.4 });
    expect(rows?.get(2)).toMatchObject({ text: '4 %', tone: 'heat-2' });
    expect(rows?.has(3)).toBe(false);
  });

  it('show no single keys for a sensitive menu', () => {
    const hidden = { ...figures, options: [{ keys: '•', count: 20, share: 0.4 }] };
    const painted = statisticsOverlay(graph, new Map([['ivr||main', hidden]]), new Map(), 'visits', words);
    expect([...(painted.get('ivr||main')?.rows.keys() ?? [])]).toEqual([2]);
  });

  it('paint departments and agents with their calls, but not with keys', () => {
    const calls = new Map([['department||sales', { calls: 25, answered: 10, dropOffRate: 0.2 }]]);
    const paint = (measure: 'visits' | 'dropOff' | 'invalid') =>
      statisticsOverlay(graph, new Map([['ivr||main', figures]]), calls, measure, words);
    expect(paint('visits').get('department||sales')).toMatchObject({ tone: 'heat-4', badge: '25' });
    expect(paint('visits').get('extension||7')).toMatchObject({ tone: 'heat-1', badge: '0' });
    expect(paint('dropOff').get('department||sales')).toMatchObject({ tone: 'heat-5', badge: '20 %' });
    expect(paint('dropOff').has('extension||7')).toBe(false);
    expect(paint('invalid').has('department||sales')).toBe(false);
  });

  it('show menus without visits, and have five shades', () => {
    const empty = statisticsOverlay(graph, new Map(), new Map(), 'visits', words).get('ivr||main');
    expect(empty).toMatchObject({ tone: 'heat-1', badge: '0' });
    expect([0, 0.1, 0.3, 0.5, 1].map((value) => heatOf(value, [0.05, 0.2, 0.4, 0.7]))).toEqual(
      [1, 2, 3, 4, 5].map((shade) => `heat-${shade}`),
    );
  });
});
