import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { problem } from '../../kinds/problem.ts';
import type { IdempotencyClaim } from '../../storage/ports/claims.ts';
import type { CreateResult } from '../../storage/ports/records.ts';
import type { ApiResponse } from './handler.ts';
import { type Claim, KEEP_MS, once } from './idempotency.ts';

const ROUTE = 'POST /v1/x';
const RESPONSE: ApiResponse = { status: 201, headers: { location: '/x' }, json: { id: 'x' } };
const CREATED: CreateResult = { outcome: 'created' };

function requestOf(key?: string, body = 'body', accountId = 'acme') {
  return {
    account: { id: accountId, name: '', settings: DEFAULT_SETTINGS, limits: DEFAULT_LIMITS },
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: { value: {}, bytes: Buffer.from(body) },
  };
}

const none = { storage: { findClaim: async () => null } };
const known = (claim: IdempotencyClaim) => ({ storage: { findClaim: async () => claim } });

/** The claim that a first request with this key and body stores. */
async function claimOf(key: string, body = 'body'): Promise<IdempotencyClaim> {
  let made: IdempotencyClaim | undefined;
  await once(ROUTE, requestOf(key, body), none, async (claim: Claim) => {
    made = claim(RESPONSE);
    return { result: CREATED, response: RESPONSE };
  });
  if (!made) throw new Error('No claim was made.');
  return made;
}

describe('Idempotency-Key', () => {
  it('without one the work is done, and nothing is claimed', async () => {
    const work = vi.fn(async (claim: Claim) => {
      expect(claim(RESPONSE)).toBeUndefined();
      return { result: CREATED, response: RESPONSE };
    });
    expect(await once(ROUTE, requestOf(), none, work)).toBe(RESPONSE);
    const refusal = problem('key_taken', 'no');
    expect(await once(ROUTE, requestOf(), none, async () => refusal)).toBe(refusal);
  });

  it.each([
    ['', false],
    ['x', true],
    ['a b', true],
    ['é', false],
    ['x'.repeat(255), true],
    ['x'.repeat(256), false],
  ])('%.10j is taken: %s', async (key, taken) => {
    const outcome = await once(ROUTE, requestOf(key), none, async () => ({
      result: CREATED,
      response: RESPONSE,
    }));
    expect(outcome).toEqual(
      taken ? RESPONSE : expect.objectContaining({ problem: 'idempotency_key_malformed' }),
    );
  });

  it('claims route, key, the hash of the body and the response', async () => {
    const claim = await claimOf('k');
    expect(claim).toEqual({
      route: ROUTE,
      key: 'k',
      bodyHash: createHash('sha256').update('body').digest('base64url'),
      answer: JSON.stringify(RESPONSE),
    });
    expect((await claimOf('k', 'other')).bodyHash).not.toBe(claim.bodyHash);
  });

  it('gives the first response again for the same body, and refuses another', async () => {
    const claim = await claimOf('k');
    const work = vi.fn();
    expect(await once(ROUTE, requestOf('k'), known(claim), work)).toEqual({
      ...RESPONSE,
      headers: { location: '/x', 'idempotency-replayed': 'true' },
    });
    expect(await once(ROUTE, requestOf('k', 'other'), known(claim), work)).toMatchObject({
      problem: 'idempotency_key_reused',
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('gives the response of another node that was faster', async () => {
    const { bodyHash, answer } = await claimOf('k');
    const result = { outcome: 'claimed_before', bodyHash, answer } as const;
    const outcome = await once(ROUTE, requestOf('k'), none, async () => ({
      result,
      response: { status: 500 },
    }));
    expect(outcome).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  });

  it('is refused while the first request runs, of the same account and route alone', async () => {
    let finish = () => {};
    const first = once(ROUTE, requestOf('k'), none, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { result: CREATED, response: RESPONSE };
    });
    await vi.waitFor(() => expect(finish.name).not.toBe('finish'));
    const quick = async () => ({ result: CREATED, response: RESPONSE });
    expect(await once(ROUTE, requestOf('k'), none, quick)).toMatchObject({
      problem: 'idempotency_key_running',
      headers: { 'retry-after': '1' },
    });
    expect(await once(ROUTE, requestOf('k', 'body', 'other'), none, quick)).toBe(RESPONSE);
    expect(await once('POST /v1/y', requestOf('k'), none, quick)).toBe(RESPONSE);
    finish();
    expect(await first).toBe(RESPONSE);
    expect(await once(ROUTE, requestOf('k'), none, quick)).toBe(RESPONSE);
  });

  it('is free again after a refusal and after a failure', async () => {
    const refusal = problem('key_taken', 'no');
    expect(await once(ROUTE, requestOf('k'), none, async () => refusal)).toBe(refusal);
    const failing = once(ROUTE, requestOf('k'), none, async () => {
      throw new Error('away');
    });
    await expect(failing).rejects.toThrow('away');
    expect(await once(ROUTE, requestOf('k'), none, async () => refusal)).toBe(refusal);
  });

  it('is kept for a day', () => {
    expect(KEEP_MS).toBe(86_400_000);
  });
});
