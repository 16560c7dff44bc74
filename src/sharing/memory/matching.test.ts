// Which agent is offered to whom, against a naive model: ask each caller in turn, highest priority first, which of its agents may be
// offered, and take those of the lowest level.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ref } from '../../flow/node.ts';
import { matchCallers, type Waiting } from './matching.ts';

const AGENTS = ['a', 'b', 'c', 'd'];
const DEPARTMENTS = ['x', 'y', 'z'];
const agents = fc.subarray(AGENTS);

const scenario = fc.record({
  lists: fc.tuple(agents, agents, agents),
  priorities: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
  levels: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 12, maxLength: 12 }),
  signedOut: fc.subarray(
    DEPARTMENTS.flatMap((department) => AGENTS.map((agent) => `${agent} ${department}`)),
  ),
  free: agents,
  together: fc.integer({ min: 1, max: 3 }),
  callers: fc.array(
    fc.record({
      department: fc.nat(2),
      isOffered: fc.boolean(),
      isTogether: fc.boolean(),
      priority: fc.nat(2),
    }),
    {
      maxLength: 8,
    },
  ),
});

const bare = (id: string): string => id.slice(id.lastIndexOf('|') + 1);
const ref = (agent: string): Ref => `extension||${agent}`;

it('the callers of the highest priority come first, and of their agents those of the lowest level', () => {
  fc.assert(
    fc.property(scenario, ({ lists, priorities, levels, signedOut, free, together, callers }) => {
      // Departments with equal agents share the list, as they do on several nodes.
      const shared = new Map<string, Ref[]>();
      const listOf = (department: number): Ref[] => {
        const names = lists[department] ?? [];
        const known = shared.get(names.join()) ?? names.map(ref);
        shared.set(names.join(), known);
        return known;
      };
      const levelOf = (agent: string, department: number): number =>
        levels[department * AGENTS.length + AGENTS.indexOf(agent)] ?? 1;
      const waiting = callers.map(({ department, isOffered, isTogether, priority }, index) => ({
        index,
        accountId: 'acme',
        order: {
          node: `department||${DEPARTMENTS[department]}`,
          agents: listOf(department),
          strategy: isTogether ? ('simultaneous' as const) : ('in_order' as const),
          priority,
        },
        offered: isOffered ? [] : null,
      })) satisfies Waiting[];
      const numberOf = (department: string): number => DEPARTMENTS.indexOf(bare(department));
      const offers = matchCallers(waiting, {
        isFree: (agent) => free.includes(agent.slice('acme/'.length)),
        idleSince: () => 0,
        lastRung: () => null,
        random: () => 0,
        duty: {
          isSignedIn: (agent, department) =>
            !signedOut.includes(`${agent.slice('acme/'.length)} ${bare(department)}`),
          levelsOf: (department) =>
            Object.fromEntries(AGENTS.map((agent) => [ref(agent), levelOf(agent, numberOf(department))])),
          priorityOf: (department) => priorities[numberOf(department)] ?? 0,
          togetherOf: () => together,
        },
      });
      expect(offers.map(({ caller, agents: chosen }) => [caller.index, chosen])).toEqual(naive());

      function naive(): [number, string[]][] {
        const left = new Set(free);
        const made: [number, string[]][] = [];
        const nine = [0, 1, 2].flatMap((one) => [0, 1, 2].map((other) => [2 - one, 2 - other] as const));
        for (const [ofDepartment, ofCaller] of nine) {
          for (const [index, { department, isOffered, isTogether, priority }] of callers.entries()) {
            if (isOffered || priorities[department] !== ofDepartment || priority !== ofCaller) continue;
            const may = (lists[department] ?? []).filter(
              (agent) => left.has(agent) && !signedOut.includes(`${agent} ${DEPARTMENTS[department]}`),
            );
            const lowest = Math.min(...may.map((agent) => levelOf(agent, department)));
            const best = may.filter((agent) => levelOf(agent, department) === lowest);
            const chosen = isTogether ? best : best.slice(0, together);
            if (chosen.length === 0) continue;
            for (const agent of chosen) left.delete(agent);
            made.push([index, chosen.map((agent) => `acme/${agent}`)]);
          }
        }
        return made;
      }
    }),
    { numRuns: 300 },
  );
});
