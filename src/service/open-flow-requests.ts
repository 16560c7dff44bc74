// Requests of calls to the systems of their accounts: by the rules of safe-fetch, signed as webhooks are, over kept connections,
// with a share for each account. They run on the main thread's event loop; audio is in the media workers.
import { randomUUID } from 'node:crypto';
import type { FlowRequest, FlowRequests } from '../calls/requests/flow-requests.ts';
import { sealedPlace } from '../domain/sealed.ts';
import type { Sealer } from '../domain/sealer.ts';
import type { RequestFailure, RequestOutcome } from '../flow/logic-phase.ts';
import { MAX_ANSWER_BYTES, readAnswer } from '../flow/request-answer.ts';
import type { Clock } from '../kit/clock.ts';
import { FairPool, type Shares } from '../kit/fair-share.ts';
import { signWebhook } from '../kit/webhook-signature.ts';
import type { Fetched, FetchFault, FetchSafely } from '../safe-fetch/safe-fetch.ts';

/** Requests that wait for an answer at once; callers who find no slot go to failed_destination. */
export const REQUEST_SHARES: Shares = { total: 400, perAccount: 100, reserved: 50 };

export interface FlowRequestParts {
  readonly fetchSafely: FetchSafely;
  readonly sealer: Sealer;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly shares?: Shares;
  readonly traceparentOfCall?: ((callId: string) => string) | undefined;
}

const FAILURES: Readonly<Record<FetchFault, RequestFailure>> = {
  url_refused: 'refused',
  address_refused: 'refused',
  redirects_refused: 'refused',
  name_unknown: 'unreachable',
  unreachable: 'unreachable',
  too_large: 'too-large',
  timeout: 'timeout',
  aborted: 'unreachable',
};

const failure = (why: RequestFailure, detail = ''): RequestOutcome => ({ ok: false, failure: why, detail });

export function makeFlowRequests(parts: FlowRequestParts): FlowRequests {
  const pool = new FairPool(parts.shares ?? REQUEST_SHARES);
  return {
    async send(request, signal) {
      const release = pool.take(request.accountId);
      if (!release) return failure('busy');
      try {
        return await ask(parts, request, signal);
      } catch {
        return failure('unreachable');
      } finally {
        release();
      }
    },
  };
}

async function ask(
  parts: FlowRequestParts,
  request: FlowRequest,
  signal: AbortSignal,
): Promise<RequestOutcome> {
  const headers = headersOf(parts, request);
  if (headers === null) return failure('refused', 'the secret was sealed with another key');
  const { method, url, body, timeoutMs, save } = request;
  const fetched = await parts.fetchSafely(url, {
    method,
    headers,
    ...(body === null ? {} : { body }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs,
    signal,
    httpsOnly: true,
    account: request.accountId,
    sentOnce: true,
  });
  return judge(fetched, save);
}

function headersOf(
  { sealer, clock, traceparentOfCall }: FlowRequestParts,
  { accountId, callId, id, body, sealedSecret }: FlowRequest,
): Record<string, string> | null {
  const plain = {
    accept: 'application/json',
    'user-agent': 'Dialtree-Requests/1',
    'x-dialtree-call': callId,
    ...(body === null ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(traceparentOfCall ? { traceparent: traceparentOfCall(callId) } : {}),
  };
  if (sealedSecret === null) return plain;
  const secret = sealer.open(sealedSecret, sealedPlace('request', accountId, id));
  if (secret === null) return null;
  return {
    ...plain,
    ...signWebhook([secret], { id: randomUUID(), atMs: clock.epochMs(), body: body ?? '' }),
  };
}

function judge(fetched: Fetched, save: FlowRequest['save']): RequestOutcome {
  if (!fetched.ok) return failure(FAILURES[fetched.fault]);
  const { status, body } = fetched;
  if (status < 200 || status >= 300) return failure('status', `status ${status}`);
  const text = textOf(body);
  return text === null ? failure('malformed', 'the answer is not UTF-8') : readAnswer(text, save);
}

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}
