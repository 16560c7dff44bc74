import { describe, expect, it } from 'vitest';
import { type Folding, fold } from './fold.ts';
import { makeGraph } from './graph.ts';
import type { MapRecords } from './map-records.ts';
import { OFFICE } from './testing/office.ts';

const SUPPORT = {
  id: 'support',
  name: 'Support',
  description: '',
  agents: ['9', '8'],
  failover_destination: null,
  full_destination: null,
  timeout_destination: null,
};
const RECORDS: MapRecords = {
  ...OFFICE,
  number: [
    ...OFFICE.number,
    { id: 'n3', number: '300', destination: 'department||support', description: '' },
  ],
  department: [...OFFICE.department, SUPPORT],
  agent: [
    ...OFFICE.agent,
    { eid: '9', name: 'Chen', intercom: '1003', custom_status: 0, failover_destination: 'voicemail||chen' },
  ],
  voicemail: [
    { id: 'chen', name: 'Chen is away', email: null },
    { id: 'old', name: 'Forgotten box', email: null },
  ],
};
const graph = makeGraph(RECORDS);
const NONE: ReadonlySet<string> = new Set();
const USUAL: Folding = {
  allAgents: false,
  unfolded: NONE,
  shelf: false,
  number: null,
  department: null,
  keep: NONE,
};
const shown = (how: Partial<Folding> = {}): string[] =>
  fold(graph, { ...USUAL, ...how }).graph.nodes.map(({ name }) => name);

describe('agents', () => {
  it('are folded into their departments, with what only they lead to, unless a menu leads to them', () => {
    expect(shown()).toEqual(['100', '200', '300', 'Main menu', 'Sales', 'Support', 'Asha', 'Ben']);
  });

  it('come out when their department is opened, or when all are shown', () => {
    expect(shown({ unfolded: new Set(['department||support']) })).toContain('Chen');
    expect(shown({ unfolded: new Set(['department||sales']) })).not.toContain('Chen');
    expect(shown({ allAgents: true })).toContain('Chen is away');
  });

  it('come out alone when they are found', () => {
    expect(shown({ keep: new Set(['extension||9']) })).toContain('Chen');
  });
});

describe('the shelf', () => {
  it('has what no number leads to, and counts it', () => {
    expect(shown()).not.toContain('Forgotten box');
    expect(fold(graph, USUAL).shelved).toBe(1);
    expect(shown({ shelf: true })).toContain('Forgotten box');
    expect(shown({ keep: new Set(['voicemail||old']) })).toContain('Forgotten box');
  });

  it('is open where there is no number at all', () => {
    const { graph: all, shelf } = fold(makeGraph({ ...RECORDS, number: [] }), USUAL);
    expect(shelf).toBe(true);
    expect(all.nodes.map(({ name }) => name)).toContain('Forgotten box');
  });
});

describe('filters', () => {
  it('leave what a number leads to', () => {
    expect(shown({ number: 'dialled||n3' })).toEqual(['300', 'Support']);
  });

  it('leave what leads to a department, and what it leads to', () => {
    expect(shown({ department: 'department||sales' })).toEqual([
      '100',
      '200',
      'Main menu',
      'Sales',
      'Asha',
      'Ben',
    ]);
    expect(shown({ department: 'department||sales', number: 'dialled||n1' })).not.toContain('200');
  });

  it('that name something that is gone leave everything', () => {
    expect(shown({ number: 'dialled||gone' })).toEqual(shown());
  });
});
