// The flow for simulated calls of those who must not learn PINs.
import { randomInt } from 'node:crypto';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { FlowNode } from '../flow/node.ts';

/** Each room with a PIN that is made up anew: as long as the real one, and right by chance alone. */
export function withOtherPins(flow: Flow): Flow {
  const other = (pin: string | null): string | null =>
    pin === null ? null : Array.from(pin, () => randomInt(10)).join('');
  const nodes: FlowNode[] = [];
  for (const node of flow.nodes.values())
    if (node.kind === 'room') nodes.push({ ...node, pin: other(node.pin), hostPin: other(node.hostPin) });
  return changeFlow(flow, { nodes });
}
