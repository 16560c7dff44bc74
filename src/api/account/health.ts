// What is wrong with the account right now: the linter's findings, and what telephones, disk and certificate say.
import { STAR_CODES } from '../../calls/routing/star-codes.ts';
import { untranslated } from '../../domain/built-in-prompts.ts';
import {
  HEALTH_CODES,
  type HealthFacts,
  type HealthFinding,
  healthFindings,
  MAX_FINDINGS,
} from '../../domain/health.ts';
import { promptRecordingId } from '../../domain/prompt-language.ts';
import type { Finding } from '../../flow/lint/finding.ts';
import { referenceText } from '../../kinds/reference.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { object, string, time } from '../schemas/output.ts';

export const HEALTH_SCHEMAS = {
  AccountHealth: object({
    checked_at: time,
    state: { enum: ['well', 'warning', 'error'] },
    data: { type: 'array', items: { $ref: '#/components/schemas/HealthFinding' } },
  }),
  HealthFinding: object({
    code: { enum: Object.keys(HEALTH_CODES) },
    severity: { enum: ['error', 'warning'] },
    concerns: { type: 'array', items: string },
    count: { type: 'integer', minimum: 0 },
    pointer: string,
    message: string,
    values: { type: 'object', additionalProperties: string },
  }),
};

const stateOf = (findings: readonly HealthFinding[]): 'well' | 'warning' | 'error' =>
  findings.some(({ severity }) => severity === 'error') ? 'error' : findings.length > 0 ? 'warning' : 'well';

const getHealth: Handler = async (request, context) => {
  const data = healthFindings(await factsOf(request, context));
  const checked_at = new Date(request.nowMs).toISOString();
  return { status: 200, json: { checked_at, state: stateOf(data), data } };
};

async function factsOf(request: ApiRequest, context: ApiContext): Promise<HealthFacts> {
  const { id: accountId } = request.account;
  const control = context.callControl();
  const [lint, directory, numbers, live, { machines, unanswered }, isOperator] = await Promise.all([
    lintOf(request, context),
    request.directory(),
    context.storage.listRecords({ accountId, kind: 'number', afterId: '', limit: 1 }),
    control?.liveOf({ account: accountId }) ?? null,
    context.machines(),
    context.operator.is(accountId),
  ]);
  const { departments, trunks, recordings } = directory;
  const { language } = request.account.settings;
  return {
    nowMs: request.nowMs,
    lint,
    lost: await lostOf(recordings.values(), request, context),
    unmailed: unmailedOf(request, context),
    prompts: { language, untranslated: untranslated(language, (id) => recordings.has(id)) },
    numbers: numbers.length,
    departments: [...departments.values()].map(({ id, data: { name, agents } }) => ({ id, name, agents })),
    trunks: [...trunks.values()].map(({ id, data: { name, enabled, host } }) => ({
      id,
      name,
      enabled,
      host,
    })),
    live,
    machines,
    unanswered: [...new Set([...(live?.unanswered ?? []), ...unanswered])],
    isOperator,
  };
}

/** Null where it takes more than one request may have: what the account does now is of use all the same. */
async function lintOf(
  { account: { id, settings } }: ApiRequest,
  { flowJobs, capabilities }: ApiContext,
): Promise<readonly Finding[] | null> {
  const result = await flowJobs.run({
    kind: 'lint',
    accountId: id,
    settings,
    capabilities,
    starCodes: STAR_CODES,
  });
  if (!('json' in result) || result.json === null) return null;
  return (JSON.parse(result.json) as { readonly data: readonly Finding[] }).data;
}

/** Lost sounds whose use is looked up: each look-up is a scan of the account. The rest count as played. */
const MAX_LOOKED_UP = 5;

async function lostOf(
  all: Iterable<{ readonly id: string; readonly data: { readonly name: string; readonly sha256: string } }>,
  { account: { id: accountId, settings } }: ApiRequest,
  { recordings, storage }: ApiContext,
): Promise<HealthFacts['lost']> {
  const rows = [...all];
  const lost = await recordings.lost(rows.map(({ data }) => data.sha256));
  const found = rows.filter(({ data }) => lost.has(data.sha256)).slice(0, MAX_FINDINGS);
  return Promise.all(
    found.map(async ({ id, data: { name } }, index) => {
      const reference = referenceText('recording', id);
      const isPlayed =
        index >= MAX_LOOKED_UP ||
        settings.music_on_hold === reference ||
        id.startsWith(promptRecordingId(settings.language, '')) ||
        (await storage.findReferrers({ accountId, reference, limit: 1 })).length > 0;
      return { id, name, isPlayed };
    }),
  );
}

function unmailedOf(
  { account: { settings } }: ApiRequest,
  { capabilities }: ApiContext,
): HealthFacts['unmailed'] {
  if (capabilities.email) return [];
  const { report_daily_to: daily, report_weekly_to: weekly, notification_rules: rules } = settings;
  return [
    ...(daily.length + weekly.length > 0 ? (['reports'] as const) : []),
    ...(rules.some(({ emails }) => emails.length > 0) ? (['notifications'] as const) : []),
  ];
}

export const HEALTH_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/health',
    scope: 'read',
    id: 'getHealth',
    summary: 'What is wrong with the account right now',
    handler: getHealth,
    responses: [responses.record('AccountHealth')],
  },
];
