// The settings of the asking account, and the limits above them, which the operator sets.
import type { Settings } from '../../domain/account.ts';
import { mayDo } from '../../domain/roles.ts';
import { readRecord, withinLimit } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { splitReference } from '../../kinds/reference.ts';
import { NO_GATEWAY } from '../calls/sms.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { APPLIED, wantsRecord } from '../http/prefer.ts';
import { contentTag, expectedTag, matched } from '../http/version.ts';
import { inWords, refuseIfStrict, type Warning } from '../records/warnings.ts';
import { SETTINGS_FIELDS } from '../schemas/account.ts';

/** The tag is of what is shown: one of all settings would prove a guessed address. */
export const getSettings: Handler = (request) => {
  const { settings } = request.account;
  const seen = mayDo(request.user?.role ?? null, 'patchSettings') ? settings : withoutAddresses(settings);
  return matched(request, tagOf(seen), JSON.stringify(shown(seen)));
};

/** Who gets mail concerns those alone who may change it. */
function withoutAddresses(settings: Settings): Settings {
  const notification_rules = settings.notification_rules.map((rule) => ({ ...rule, emails: [] }));
  return { ...settings, report_daily_to: [], report_weekly_to: [], notification_rules };
}

function shown(settings: Settings): object {
  const { country, area_code, timezone } = settings;
  return {
    ...settings,
    country: country || null,
    area_code: area_code || null,
    timezone: timezone || null,
  };
}

export const getLimits: Handler = async ({ account }, { quotas }) => ({
  status: 200,
  json: { ...account.limits, used: await quotas.used(account.id) },
});

/** A setting that is not sent gets its default. */
export const putSettings: Handler = (request, context) => {
  const given = readSettings(request);
  return isProblem(given) ? given : store(given, request, context);
};

/** A setting that is not sent keeps its value; null gives it its default. */
export const patchSettings: Handler = (request, context) => {
  const given = readSettings(request);
  if (isProblem(given)) return given;
  const sent = Object.entries(given).filter(([name]) => request.body.value[name] !== undefined);
  return store(Object.fromEntries(sent), request, context);
};

function readSettings({ account, body }: ApiRequest): Settings | Problem {
  const given = readRecord(SETTINGS_FIELDS, body.value);
  if (isProblem(given)) return given;
  const faults = new Faults();
  const { max_outbound_calls: most } = account.limits;
  withinLimit('max_outbound_calls', body.value['max_outbound_calls'], most, faults);
  return faults.list.length > 0 ? faults.toProblem() : given;
}

async function store(
  changes: Partial<Settings>,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  const { storage, capabilities } = context;
  const { id: accountId, settings } = request.account;
  // Turned on before the gateway was taken away, it stays: settings that were read can be written.
  if (changes.sms_templates && !settings.sms_templates && !capabilities.sms) return NO_GATEWAY;
  const warnings = await warningsOf(changes, request);
  const refused = refuseIfStrict(request, context, warnings);
  if (refused) return refused;
  const expected = expectedTag(request);
  if (expected !== null && isProblem(expected)) return expected;
  if (expected !== null && expected.tag !== tagOf(settings)) return settingsChanged(settings);
  const result = await storage.changeSettings({
    accountId,
    changes,
    ...(expected === null ? {} : { expected: settings }),
  });
  if (result.outcome === 'unexpected') return settingsChanged(result.settings);
  const etag = tagOf(result.settings);
  if (!wantsRecord(request)) return done(200, inWords('Settings stored', warnings), { headers: { etag } });
  const headers = { etag, location: '/v1/settings', ...APPLIED };
  return { status: 200, headers, json: shown(result.settings) };
}

async function warningsOf(
  { music_on_hold: music }: Partial<Settings>,
  request: ApiRequest,
): Promise<Warning[]> {
  if (!music) return [];
  const { recordings } = await request.directory();
  const { id } = splitReference(music);
  if (recordings.has(id)) return [];
  const message = `Recording ${id} does not exist: who is on hold hears the built-in music instead.`;
  return [{ pointer: '/music_on_hold', code: 'recording-missing', message }];
}

const tagOf = (settings: Settings): string => contentTag(JSON.stringify(settings));

function settingsChanged(settings: Settings): Problem {
  return problem(
    'version_changed',
    'Somebody changed the settings. Read them again, then repeat your change.',
    { headers: { etag: tagOf(settings) } },
  );
}
