// Streams to voice bots: callers who are not told that they talk to a machine.

import type { Flow } from '../flow.ts';
import type { StreamNode } from '../stream-phase.ts';
import type { Finding } from './finding.ts';

/** In many countries the law demands it. */
export function* undisclosedStreams(_flow: Flow, node: StreamNode): Iterable<Finding> {
  if (node.disclosure !== null) return;
  yield {
    code: 'stream-without-disclosure',
    severity: 'warning',
    node: node.ref,
    pointer: '/disclosure_recording',
    message: `Callers are not told that “${node.name}” is a machine: set disclosure_recording.`,
  };
}
