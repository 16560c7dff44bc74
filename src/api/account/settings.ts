// The settings of the asking account, and the limits above them, which the operator sets.
import type { Settings } from '../../domain/account.ts';
import { Faults, isProblem } from '../../domain/problem.ts';
import { done, type Handler } from '../http/handler.ts';
import { SETTINGS_FIELDS } from '../schemas/account.ts';
import { readRecord, withinLimit } from '../schemas/field.ts';

export const getSettings: Handler = (request) => ({ status: 200, json: request.account.settings });

export const getLimits: Handler = async ({ account }, { quotas }) => ({
  status: 200,
  json: { ...account.limits, used: await quotas.used(account.id) },
});

/** A setting that is not sent keeps its value. */
export const putSettings: Handler = async (request, context) => {
  const given = readRecord(SETTINGS_FIELDS, request.body.value);
  if (isProblem(given)) return given;
  const { max_outbound_calls: most } = request.account.limits;
  const faults = new Faults();
  withinLimit('max_outbound_calls', request.body.value['max_outbound_calls'], most, faults);
  if (faults.list.length > 0) return faults.toProblem();
  const sent = Object.entries(given).filter(([name]) => (request.body.value[name] ?? null) !== null);
  const changes: Partial<Settings> = Object.fromEntries(sent);
  await context.storage.changeSettings({ accountId: request.account.id, changes });
  return done(200, 'Settings stored.');
};
