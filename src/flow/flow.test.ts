import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeFlow, makeFlow, resolve } from './flow.ts';
import { LayeredMap } from './layered-map.ts';
import { referenceTo } from './node.ts';
import { aFlow, aMenu, anAgent } from './testing/samples.ts';

test('reference is the kind of the API and the id', () => {
  expect(referenceTo('agent', '42')).toBe('extension||42');
  expect(referenceTo('hours', '7')).toBe('timegroup||7');
});

test('changed flow has the change and the old one does not (call rule 10)', () => {
  const flow = aFlow([aMenu('main')]);
  const changed = changeFlow(flow, {
    nodes: [aMenu('main', { name: 'New' }), aMenu('second')],
    removedNodes: ['extension||sales'],
    recordings: [{ id: 'new', name: 'New', durationMs: 1 }],
    removedRecordings: ['welcome'],
    settings: { ringSeconds: 9 },
  });
  expect(resolve(changed, 'ivr||main')?.name).toBe('New');
  expect(resolve(changed, 'extension||sales')).toBeNull();
  expect([...changed.nodes.values()].map(({ ref }) => ref).toSorted()).toEqual([
    'extension||support',
    'ivr||main',
    'ivr||second',
  ]);
  expect(changed.recordings.has('welcome')).toBe(false);
  expect(changed.settings).toMatchObject({ ringSeconds: 9, interDigitMs: 2_000 });
  expect(resolve(flow, 'ivr||main')?.name).toBe('Menu main');
  expect(resolve(flow, 'extension||sales')).not.toBeNull();
  expect(flow.recordings.has('welcome')).toBe(true);
});

test('change shares what it does not touch', () => {
  const flow = aFlow([]);
  const changed = changeFlow(flow, { nodes: [anAgent('new')] });
  expect(changed.recordings).toBe(flow.recordings);
  expect(changed.settings).toBe(flow.settings);
});

test('numbers and hang-ups resolve without a record, other references do not', () => {
  const flow = makeFlow({});
  expect(resolve(flow, 'number||4930123')).toMatchObject({ kind: 'number', number: '4930123' });
  expect(resolve(flow, 'hangup||')).toMatchObject({ kind: 'hang-up', busy: false });
  expect(resolve(flow, 'extension||1')).toBeNull();
  expect(resolve(flow, 'nonsense')).toBeNull();
});

const key = fc.integer({ min: 0, max: 60 }).map(String);
const changes = fc.array(fc.record({ set: fc.array(fc.tuple(key, fc.nat())), gone: fc.array(key) }));
const mapsAgree = fc.property(fc.array(fc.tuple(key, fc.nat())), changes, (start, list) => {
  let map = LayeredMap.from(start);
  const plain = new Map(start);
  for (const { set, gone } of list) {
    const before = [...map].toSorted().join();
    const next = map.with(set, gone);
    expect([...map].toSorted().join()).toBe(before);
    map = next;
    for (const name of gone) plain.delete(name);
    for (const [name, value] of set) plain.set(name, value);
  }
  expect(new Map(map)).toEqual(plain);
  expect(map.size).toBe(plain.size);
  for (let name = 0; name <= 60; name += 1) expect(map.get(`${name}`)).toBe(plain.get(`${name}`));
});

test('layered map behaves like a copied Map over any sequence of changes', () => {
  fc.assert(mapsAgree, { numRuns: 300 });
});

test('layered map behaves like a copied Map over the same 30 sequences of changes', () => {
  fc.assert(mapsAgree, { numRuns: 30, seed: 1, endOnFailure: true });
});

test('changed flow may add or remove recordings alone, and keeps the nodes', () => {
  const flow = aFlow([aMenu('main')]);
  const added = changeFlow(flow, { recordings: [{ id: 'new', name: 'New', durationMs: 1 }] });
  expect([added.recordings.has('new'), added.recordings.has('welcome')]).toEqual([true, true]);
  const removed = changeFlow(flow, { removedRecordings: ['welcome'] });
  expect([removed.recordings.has('welcome'), removed.recordings.has('invalid')]).toEqual([false, true]);
  // Caches of a snapshot are kept by its nodes.
  expect(added.nodes).toBe(flow.nodes);
});

test.each([
  '',
  'hangup',
  'hangups',
  'hangup|',
  'number',
  'number|5',
  '||',
  '||busy',
  'hangu||',
  'number||',
  'number||12a',
  'x||1',
])('reference %j leads nowhere', (ref) => {
  expect(resolve(aFlow([]), ref)).toBeNull();
});
