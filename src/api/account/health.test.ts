import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { HEALTH_ROUTES } from './health.ts';

/** An account in which all is well, on one machine, where the linter answers this. */
async function health(lint: object) {
  const disk = { freeBytes: null, reserveBytes: 0, isLow: false };
  const request = {
    account: { id: 'acme', settings: DEFAULT_SETTINGS },
    nowMs: 0,
    directory: async () => ({ departments: new Map(), trunks: new Map(), recordings: new Map() }),
  } as unknown as ApiRequest;
  const context = {
    callControl: () => ({ liveOf: async () => ({ unanswered: [], agents: [], trunks: [] }) }),
    storage: { listRecords: async () => [{}] },
    machines: async () => ({
      machines: [{ node: 'a', recordFailure: null, disk, certificate: null }],
      unanswered: [],
    }),
    recordings: { lost: async () => new Set() },
    operator: { is: async () => false },
    capabilities: { email: true },
    flowJobs: { run: async () => lint },
  } as unknown as ApiContext;
  const answer = await HEALTH_ROUTES[0]?.handler(request, context);
  return (answer as { json: { state: string; data: { code: string }[] } }).json;
}

it('an account whose linter was given up is not well: its flow is unchecked', async () => {
  expect(await health({ json: '{"data":[]}' })).toMatchObject({ state: 'well', data: [] });
  for (const givenUp of ['late', 'died'])
    expect(await health({ givenUp })).toMatchObject({
      state: 'warning',
      data: [{ code: 'flow-unchecked' }],
    });
});
