import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { HeldTrunk, WantedTrunk } from '../../storage/ports/trunk-registrations.ts';
import type { Trunk } from '../../telephony/ports/trunk.ts';
import { TRUNK } from '../testing/office.ts';
import { HOLD_EVERY_MS, TrunkOwners } from './trunk-owners.ts';

const trunk = (id: string, register = true): Trunk => ({ ...TRUNK, id: `acme/${id}`, register });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One database for the nodes that are opened on it. */
function bed() {
  const clock = new VirtualClock();
  const rows = new Map<string, HeldTrunk>();
  const state = { isDown: false, live: 2 };
  const failures: unknown[] = [];
  const open = (node: string, registered: boolean | null = true) => {
    let changes = 0;
    const owners = new TrunkOwners({
      clock,
      node,
      stateOf: () => ({ registered, calls: 0, problem: null, reachable: null, hosts: [] }),
      changed: () => {
        changes += 1;
      },
      failed: (error) => void failures.push(error),
      storage: {
        async holdTrunks({
          node: by,
          most,
          trunks,
        }: {
          node: string;
          most: number;
          trunks: readonly WantedTrunk[];
        }) {
          if (state.isDown) throw new Error('down');
          for (const each of trunks) {
            const held = [...rows.values()].filter((row) => row.node === by).length;
            const owner = rows.get(each.trunkId)?.node;
            if (owner === by || (owner === undefined && held < most))
              rows.set(each.trunkId, { ...each, node: by });
          }
          return trunks.flatMap(({ trunkId }) => rows.get(trunkId) ?? []);
        },
        async releaseTrunks({ node: of }) {
          for (const [id, row] of rows) if (row.node === of) rows.delete(id);
        },
        listNodes: async () =>
          Array.from({ length: state.live }, () => ({ state: 'running', silentMs: 0 }) as never),
      },
    });
    return { owners, changes: () => changes };
  };
  const pass = async (): Promise<void> => {
    clock.advance(HOLD_EVERY_MS);
    for (let turn = 0; turn < 5; turn++) await settled();
  };
  return { open, pass, rows, state, failures, clock };
}

const registering = (trunks: readonly Trunk[]): string[] =>
  trunks.filter(({ register }) => register).map(({ id }) => id);

describe('trunks that register', () => {
  const all = [trunk('1'), trunk('2'), trunk('3'), trunk('plain', false)];

  it('are spread over the nodes, each registered at by one, and taken over when a node is gone', async () => {
    const { open, pass, state } = bed();
    const [a, b] = [open('a'), open('b')];
    expect(registering(a.owners.assign(all))).toEqual([]);
    b.owners.assign(all);
    await pass();
    expect([a.changes(), b.changes()]).toEqual([1, 1]);
    const [atA, atB] = [registering(a.owners.assign(all)), registering(b.owners.assign(all))];
    expect([atA.length, atB.length]).toEqual([2, 1]);
    expect([...atA, ...atB].sort()).toEqual(['acme/1', 'acme/2', 'acme/3']);
    expect(b.owners.heldBy(atA[0] ?? '')).toMatchObject({ node: 'a' });
    state.live = 1;
    await b.owners.release('a');
    expect(registering(b.owners.assign(all))).toHaveLength(3);
  });

  it('stay with their node while the database is away', async () => {
    const { open, pass, state, failures } = bed();
    const { owners } = open('a');
    state.live = 1;
    owners.assign(all);
    await pass();
    state.isDown = true;
    await pass();
    await pass();
    expect(failures.length).toBeGreaterThan(0);
    expect(registering(owners.assign(all))).toHaveLength(3);
  });

  it('are free at once when their node ends', async () => {
    const { open, pass, rows, clock } = bed();
    const { owners } = open('a');
    owners.assign(all);
    await pass();
    expect(rows.size).toBe(2);
    await owners.close();
    expect(rows.size).toBe(0);
    expect(clock.running).toBe(0);
    await owners.hold();
    expect(clock.running).toBe(0);
  });

  it('of a node that ends while it asks are not taken up again', async () => {
    const { owners, changes } = bed().open('a');
    owners.assign(all);
    await owners.close();
    expect(changes()).toBe(0);
    expect(registering(owners.assign(all))).toEqual([]);
  });

  it.each([
    [true, true],
    [false, false],
    [null, false],
  ])('are said to be registered (%s) as the node that has them knows: %s', async (registered, expected) => {
    const { open, pass } = bed();
    const { owners } = open('a', registered);
    owners.assign(all);
    await pass();
    expect(owners.heldBy('acme/1')).toMatchObject({ node: 'a', registered: expected });
  });
});
