import type { Flow } from '../flow.ts';
import type { FlowNode } from '../node.ts';
import { answersLate } from '../nodes/facts.ts';

const APOLOGY = 'hear an apology and are hung up on';

/** What becomes of callers whom nothing behind `node` serves. Departments, agents and hours answer no call by themselves. */
export function endingAfter({ settings }: Flow, node: FlowNode): string {
  if (!answersLate(node)) return APOLOGY;
  switch (settings.failedCalls) {
    case 'status':
      return 'get a status such as 404, or an apology if their call was answered before';
    case 'announce':
      return 'hear an apology, before an answer or after it, and are hung up on';
    case 'answer':
      return APOLOGY;
    default:
      return settings.failedCalls satisfies never;
  }
}
