import type { Flow } from '../flow.ts';
import type { FlowNode } from '../node.ts';
import type { Finding } from './finding.ts';

/** A queue that callers leave only by being served or hanging up. */
export function* endlessQueues(_flow: Flow, node: FlowNode): Iterable<Finding> {
  if (node.kind !== 'department' || node.queue === null) return;
  if (node.queue.maxWaitSeconds > 0) return;
  const message = `Callers of “${node.name}” wait without end while nobody is free: set the longest wait.`;
  yield {
    code: 'queue-endless',
    severity: 'warning',
    node: node.ref,
    pointer: '/max_wait_seconds',
    message,
  };
}
