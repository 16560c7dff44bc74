// Steps that ask or talk (collect, request, stream), as the trail of a call tells of them: how often the call came there, how often it
// failed there, and how long the other side took.
import type { TrailCode, TrailEntry } from '../flow/trail.ts';

export const STEP_KINDS = ['collect', 'request', 'stream'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

const isStep = (node: string): boolean => STEP_KINDS.some((kind) => node.startsWith(`${kind}||`));

const FAILED: ReadonlySet<TrailCode> = new Set(['digits-failed', 'request-failed', 'stream-failed']);
const BEGAN: ReadonlySet<TrailCode> = new Set(['request-sent', 'stream-connected']);
/** The end of the call is the end of a conversation, too. */
const OVER: ReadonlySet<TrailCode> = new Set([
  'request-answered',
  'request-failed',
  'stream-ended',
  'stream-transferred',
  'stream-failed',
  'ended',
]);

export function countSteps(
  trail: readonly TrailEntry[],
  add: (subject: string, measure: string, value: number) => void,
): void {
  let open: { readonly node: string; readonly atMs: number } | null = null;
  for (const { code, node, atMs } of trail) {
    if (open && OVER.has(code)) {
      add(open.node, 'timed', 1);
      add(open.node, 'took_ms', Math.round(atMs - open.atMs));
      open = null;
    }
    if (node === null || !isStep(node)) continue;
    if (code === 'arrived') add(node, 'visits', 1);
    else if (FAILED.has(code)) add(node, 'failed', 1);
    else if (BEGAN.has(code)) open = { node, atMs };
  }
}
