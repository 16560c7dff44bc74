import { describe, expect, it } from 'vitest';
import { Numbering } from '../../../../src/domain/numbering.ts';
import type { LiveTrunk } from '../../data/live-state.ts';
import type { Words } from '../../words/words.tsx';
import { exitsOf, recordAt } from './edit/changes.ts';
import { fold } from './fold.ts';
import { makeGraph } from './graph.ts';
import { layOut } from './layout.ts';
import type { MapRecords, TrunkRecord } from './map-records.ts';
import { OFFICE } from './testing/office.ts';
import { MOST_LINES, trunkAdder, trunkStates } from './trunk-layer.ts';

const TRUNK: TrunkRecord = {
  id: 'a',
  name: 'Carrier',
  host: 'sip.example.com',
  enabled: true,
  addresses: ['192.0.2.1'],
  inbound_by_registration: false,
  inbound_numbers: [],
  outbound_prefixes: [],
  outbound_format: 'as_is',
};
const german = new Numbering({ country: 'DE', area_code: '30' });
const graphOf = (records: Partial<MapRecords>, numbering = Numbering.NONE) =>
  makeGraph({ ...OFFICE, ...records }, null, trunkAdder(numbering));
const waysOf = (id: string, graph: ReturnType<typeof graphOf>) =>
  graph.byId.get(id)?.ways.map(({ reason, to, ends }) => [reason, to.join() || ends].join(' '));
const number = (id: string, text: string, destination = 'ivr||main') => ({
  id,
  number: text,
  destination,
  description: '',
});

describe('calls that come in', () => {
  it('come by a trunk to every number, or to those that it names, in whatever form they are written', () => {
    const numbers = [number('n1', '+4930555010'), number('n2', '200')];
    const named = { ...TRUNK, id: 'b', inbound_numbers: ['030555010'] };
    const graph = graphOf({ number: numbers, trunk: [TRUNK, named] }, german);
    expect(waysOf('trunk||a', graph)).toEqual(['inbound dialled||n1,dialled||n2']);
    expect(waysOf('trunk||b', graph)).toEqual(['inbound dialled||n1']);
    expect(graph.byId.get('trunk||a')?.reached).toBe(true);
  });

  it('to very many numbers are a word instead of lines, and those to none say so', () => {
    const many = Array.from({ length: MOST_LINES + 1 }, (_, index) => number(`m${index}`, `7${index}`));
    const other = { ...TRUNK, id: 'b', inbound_numbers: ['999'] };
    const graph = graphOf({ number: many, trunk: [TRUNK, other] });
    expect(waysOf('trunk||a', graph)).toEqual(['inbound all']);
    expect(waysOf('trunk||b', graph)).toEqual(['inbound none']);
  });

  it('do not come by a trunk that is off, or that knows no address and no registration', () => {
    const graph = graphOf({
      trunk: [
        { ...TRUNK, enabled: false },
        { ...TRUNK, id: 'b', addresses: [] },
      ],
    });
    expect([waysOf('trunk||a', graph), waysOf('trunk||b', graph)]).toEqual([[], []]);
  });
});

it('calls that leave do so by the trunk that routes the number, and a number that none routes is seen', () => {
  const trunk = { ...TRUNK, outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }] };
  const graph = graphOf({
    number: [number('n1', '100', 'number||+49301234'), number('n2', '200', 'number||+33123456')],
    trunk: [trunk],
  });
  expect(waysOf('number||+49301234', graph)).toEqual(['leaves out||a']);
  expect(waysOf('number||+33123456', graph)).toEqual(['leaves unserved']);
  expect(graph.byId.get('out||a')).toMatchObject({ kind: 'trunk', key: 'a', name: 'Carrier', reached: true });
  // Calls go from left to right: in by the first column, out by the last.
  const { boxes } = layOut(graph);
  expect(boxes.get('trunk||a')?.x).toBe(0);
  expect(boxes.get('out||a')?.x).toBeGreaterThan(boxes.get('number||+49301234')?.x ?? 0);
});

it('a trunk has a record, and no line is drawn from it', () => {
  const trunk = graphOf({ trunk: [TRUNK] }).byId.get('trunk||a');
  expect(trunk && [recordAt(trunk), exitsOf(trunk)]).toEqual([{ kind: 'trunk', id: 'a' }, []]);
});

describe('what is shown', () => {
  const none: ReadonlySet<string> = new Set();
  const usual = {
    allAgents: false,
    unfolded: none,
    shelf: false,
    number: null,
    department: null,
    keep: none,
  };

  it('of one number has the trunks that bring calls to it', () => {
    const graph = graphOf({ trunk: [TRUNK, { ...TRUNK, id: 'b', name: 'Other', inbound_numbers: ['200'] }] });
    const names = fold(graph, { ...usual, number: 'dialled||n1' }).graph.nodes.map(({ name }) => name);
    expect(names).toContain('Carrier');
    expect(names).not.toContain('Other');
    expect(names).not.toContain('200');
  });

  it('without any number is everything, beside the trunk', () => {
    const { shelf, graph } = fold(graphOf({ number: [], trunk: [TRUNK] }), usual);
    expect(shelf).toBe(true);
    expect(graph.nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['Carrier', 'Main menu']));
  });
});

it('says at both ends whether a trunk is registered, or why not', () => {
  const t = ((key: string, values?: { host?: string }) =>
    [key, values?.host].filter(Boolean).join(' ')) as Words['t'];
  const live = new Map<string, LiveTrunk>([
    ['a', { id: 'a', registered: true, reachable: null, problem: null } as LiveTrunk],
    ['b', { id: 'b', registered: false, reachable: null, problem: 'sip.b has not answered.' } as LiveTrunk],
    ['c', { id: 'c', registered: false, reachable: null, problem: 'Odd.' } as LiveTrunk],
  ]);
  const trunks = ['a', 'b', 'c', 'd'].map((id) => ({ ...TRUNK, id, enabled: id !== 'd' }));
  const overlay = trunkStates(trunks, live, t);
  const marks = ['trunk||a', 'out||a', 'trunk||b', 'trunk||c', 'trunk||d'].map((id) => {
    const mark = overlay.get(id);
    return `${mark?.tone}: ${mark?.text}`;
  });
  expect(marks).toEqual([
    'good: now.trunk.registered',
    'good: now.trunk.registered',
    'bad: now.trunk.unregistered: now.trunk.why.silent sip.b',
    'bad: now.trunk.unregistered: Odd.',
    'info: now.trunk.off',
  ]);
});
