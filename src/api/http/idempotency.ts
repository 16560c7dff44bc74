// Idempotency-Key: the same key and body get the first answer again. The answer is claimed in the transaction that does
// the work (storage/sql/claim.ts); here is what can be known before it.
import { createHash } from 'node:crypto';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { IdempotencyClaim } from '../../storage/ports/claims.ts';
import type { CreateResult } from '../../storage/ports/records.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, header } from './handler.ts';

const MAX_KEY = 255;
export const KEEP_MS = 24 * 3600 * 1000;

/** Makes the claim that goes with a record; without a key there is none. */
export type Claim = (response: ApiResponse) => IdempotencyClaim | undefined;

/** Keys whose first request is still running on this node. Bounded by the requests that run at once. */
const running = new Set<string>();

/**
 * Runs `work` unless the key was answered before. `work` passes the claim to storage with the answer to keep, which may
 * differ from the one it returns: a secret is shown once and not kept.
 */
export async function once(
  route: string,
  request: Pick<ApiRequest, 'account' | 'headers' | 'body'>,
  { storage }: { readonly storage: Pick<ApiContext['storage'], 'findClaim'> },
  work: (claim: Claim) => Promise<{ result: CreateResult; response: ApiResponse } | Problem>,
): Promise<ApiResponse | Problem> {
  const key = header(request, 'idempotency-key');
  if (key === undefined) {
    const outcome = await work(() => undefined);
    return isProblem(outcome) ? outcome : outcome.response;
  }
  if (!isKey(key))
    return problem(
      'idempotency_key_malformed',
      `Idempotency-Key must be 1 to ${MAX_KEY} visible characters.`,
    );
  const claimed = `${request.account.id} ${route} ${key}`;
  if (running.has(claimed)) {
    return problem(
      'idempotency_key_running',
      'The first request with this Idempotency-Key is still running; ask again shortly.',
      {
        headers: { 'retry-after': '1' },
      },
    );
  }
  running.add(claimed);
  try {
    const bodyHash = createHash('sha256').update(request.body.bytes).digest('base64url');
    const earlier = await storage.findClaim({ accountId: request.account.id, route, key });
    if (earlier) return replay(earlier, bodyHash);
    const outcome = await work((response) => ({ route, key, bodyHash, answer: JSON.stringify(response) }));
    if (isProblem(outcome)) return outcome;
    const { result, response } = outcome;
    return result.outcome === 'claimed_before' ? replay(result, bodyHash) : response;
  } finally {
    running.delete(claimed);
  }
}

function replay(claim: { bodyHash: string; answer: string }, bodyHash: string): ApiResponse | Problem {
  if (claim.bodyHash !== bodyHash) {
    return problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another body; use a new key for a new request.',
    );
  }
  const response = JSON.parse(claim.answer) as ApiResponse;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

function isKey(key: string): boolean {
  return key.length <= MAX_KEY && /^[\x20-\x7e]+$/.test(key);
}
