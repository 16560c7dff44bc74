// Request: a call asks the company's own system over HTTP, once, and goes on by its answer.
import { referenceTo } from '../flow/node.ts';
import type { RequestNode } from '../flow/think-nodes.ts';
import { splitReference } from '../kinds/reference.ts';

export const MAX_TIMEOUT_MS = 10_000;

export interface FlowRequest {
  readonly name: string;
  readonly description: string;
  /** A template. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Members with templates. */
  readonly body: { readonly [member: string]: string };
  /** Null: requests are not signed. */
  readonly sealed_secret: string | null;
  readonly timeout_ms: number;
  readonly save: readonly { readonly variable: string; readonly pointer: string }[];
  readonly choices: readonly { readonly answer: string; readonly destination: string }[];
  readonly wait_recording: string | null;
  readonly next_destination: string;
  readonly failed_destination: string;
}

export const REQUEST_DEFAULTS = {
  description: '',
  method: 'POST',
  timeout_ms: 5_000,
  wait_recording: null,
} as const satisfies Partial<FlowRequest>;

/** Of what the console sees, too: it has no secret. */
export function requestNode(
  id: string,
  request: Omit<FlowRequest, 'sealed_secret'> & Partial<Pick<FlowRequest, 'sealed_secret'>>,
): RequestNode {
  const { wait_recording: wait, sealed_secret: sealed = null } = request;
  return {
    kind: 'request',
    ref: referenceTo('request', id),
    name: request.name,
    method: request.method,
    url: request.url,
    body: Object.entries(request.body).map(([name, value]) => ({ name, value })),
    timeoutMs: request.timeout_ms,
    save: request.save,
    choices: request.choices,
    waitRecording: wait === null ? null : splitReference(wait).id,
    ...(sealed === null ? {} : { sealedSecret: sealed }),
    next: request.next_destination,
    failed: request.failed_destination,
  };
}
