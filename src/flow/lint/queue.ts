import type { Flow } from '../flow.ts';
import type { DepartmentNode } from '../node.ts';
import type { Finding } from './finding.ts';

/** A queue that callers leave only by being served or hanging up. */
export function* endlessQueues(_flow: Flow, node: DepartmentNode): Iterable<Finding> {
  if (node.queue === null || node.queue.maxWaitSeconds > 0) return;
  const message = `Callers of “${node.name}” wait without end while nobody is free: set the longest wait.`;
  yield {
    code: 'queue-endless',
    severity: 'warning',
    node: node.ref,
    pointer: '/max_wait_seconds',
    message,
  };
}
