import { describe, expect, it } from 'vitest';
import { makeGraph } from '../graph.ts';
import { OFFICE } from '../testing/office.ts';
import { canLead, copyOf, exitsOf, freeKeys, inverse, leadingTo, NEW_KEY } from './changes.ts';

const { byId } = makeGraph(OFFICE);
const nodeAt = (id: string) => {
  const node = byId.get(id);
  if (!node) throw new Error(`${id} is not on the map`);
  return node;
};
const MENU = { option: ['1', '2'], destination: ['department||sales', 'extension||7'], name: 'Main menu' };

describe('a row of the map', () => {
  it('leads elsewhere by a patch of its member alone', () => {
    expect(leadingTo(MENU, '/destination/1', 'ivr||main')).toEqual({
      destination: ['department||sales', 'ivr||main'],
    });
    expect(leadingTo({ destination: 'ivr||a' }, '/destination', 'ivr||b')).toEqual({ destination: 'ivr||b' });
    expect(leadingTo({ failover_destination: 'ivr||a' }, '/failover_destination', '')).toEqual({
      failover_destination: null,
    });
  });

  it('needs no patch when it leads there already', () => {
    expect(leadingTo(MENU, '/destination/1', 'extension||7')).toBeNull();
    expect(leadingTo({ agents: ['7'] }, '/agents', 'extension||7')).toBeNull();
  });

  it('gets a new key with its destination, once', () => {
    expect(leadingTo(MENU, NEW_KEY, 'ivr||b', '3')).toEqual({
      option: ['1', '2', '3'],
      destination: ['department||sales', 'extension||7', 'ivr||b'],
    });
    expect(leadingTo(MENU, NEW_KEY, 'ivr||b', '2')).toBeNull();
  });

  it('takes agents into a department, and nothing else', () => {
    expect(leadingTo({ agents: ['7'] }, '/agents', 'extension||8')).toEqual({ agents: ['7', '8'] });
    expect(canLead('member', nodeAt('extension||8'))).toBe(true);
    expect(canLead('member', nodeAt('ivr||main'))).toBe(false);
    expect(canLead('key', nodeAt('dialled||n1'))).toBe(false);
  });

  it('is undone by the members as they were', () => {
    const patch = leadingTo(MENU, '/destination/0', 'ivr||main') ?? {};
    expect(inverse(MENU, patch)).toEqual({ destination: MENU.destination });
    expect(inverse({}, { failover_destination: 'ivr||a' })).toEqual({ failover_destination: null });
  });
});

describe('the exits of a node', () => {
  it('are its rows and what could be set beside them', () => {
    expect(exitsOf(nodeAt('ivr||main')).map(({ pointer, value }) => [pointer, value])).toEqual([
      ['/destination/0', 'department||sales'],
      ['/destination/1', 'extension||7'],
      ['/invalid_destination', 'extension||8'],
      ['/timeout_destination', 'hangup||hangup'],
    ]);
    expect(exitsOf(nodeAt('department||sales')).map(({ pointer }) => pointer)).toEqual([
      '/agents',
      '/failover_destination',
      '/full_destination',
      '/timeout_destination',
      '/after_call_destination',
    ]);
    expect(exitsOf(nodeAt('extension||7'))).toMatchObject([
      { pointer: '/failover_destination', optional: true },
    ]);
  });

  it('of a menu may be any key that it does not use', () => {
    expect(freeKeys(nodeAt('ivr||main'))).toEqual(['3', '4', '5', '6', '7', '8', '9', '0', '*', '#']);
  });
});

describe('a copy', () => {
  it('has a name of its own and nothing that the service computes', () => {
    const copy = copyOf(
      { ...MENU, id: 'main', version: 3, created_at: 'x', updated_at: 'y', tests: [] },
      'Other',
    );
    expect(copy).toEqual({ ...MENU, name: 'Other' });
  });
});
