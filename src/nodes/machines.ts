// What the machine of each node says of itself: disk, certificate, checks, and whether call records are written. This node's own, and the
// others' by signed requests; their clocks are held against ours.
import type { Machine, MachineCheck } from '../calls/control/call-control.ts';
import type { NodeClient } from './node-client.ts';
import type { Peers } from './peers.ts';

export interface MachinesParts {
  readonly id: string;
  readonly own: () => Promise<Machine>;
  /** Null if this process is alone. */
  readonly others: { readonly peers: Pick<Peers, 'live'>; readonly client: Pick<NodeClient, 'ask'> } | null;
}

export interface Machines {
  readonly machines: readonly (Machine & { readonly node: string })[];
  readonly unanswered: readonly string[];
}

/** Far below what the signatures of requests allow (signature.ts): it is seen before nodes refuse each other. */
const MAX_CLOCK_GAP_MS = 2_000;

export async function askMachines({ id, own, others }: MachinesParts): Promise<Machines> {
  const peers = others?.peers.live ?? [];
  const [mine, settled] = await Promise.all([
    own(),
    Promise.allSettled(
      peers.map(async (peer) => {
        const askedMs = Date.now();
        const machine = (await others?.client.ask(peer, { op: 'machine' })) as Machine | null | undefined;
        return machine && withClock(machine, askedMs, Date.now());
      }),
    ),
  ]);
  const machines = [{ ...mine, node: id }];
  const unanswered: string[] = [];
  for (const [index, { id: node }] of peers.entries()) {
    const one = settled[index];
    if (one?.status === 'fulfilled' && one.value) machines.push({ ...one.value, node });
    else unanswered.push(node);
  }
  return { machines, unanswered };
}

/** With a check of its clock: the answer was written between these two times of ours. */
function withClock(machine: Machine, askedMs: number, answeredMs: number): Machine {
  const { clockMs = askedMs, checks = [] } = machine;
  const gapMs = clockMs < askedMs ? clockMs - askedMs : Math.max(0, clockMs - answeredMs);
  if (Math.abs(gapMs) <= MAX_CLOCK_GAP_MS) return machine;
  const seconds = String(Math.round(gapMs / 1000));
  const check: MachineCheck = {
    code: 'clock-differs',
    message: `Its clock is ${seconds} s off the clock of the node that looks. Let NTP set both.`,
    values: { seconds },
  };
  return { ...machine, checks: [...checks, check] };
}
