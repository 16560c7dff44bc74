// The settings of the asking account.
import type { Settings } from '../../domain/account.ts';
import { isProblem } from '../../domain/problem.ts';
import { done, type Handler } from '../http/handler.ts';
import { SETTINGS_FIELDS } from '../schemas/account.ts';
import { readRecord } from '../schemas/field.ts';

export const getSettings: Handler = (request) => ({ status: 200, json: request.account.settings });

/** A setting that is not sent keeps its value. */
export const putSettings: Handler = async (request, context) => {
  const given = readRecord(SETTINGS_FIELDS, request.body.value);
  if (isProblem(given)) return given;
  const sent = Object.entries(given).filter(([name]) => (request.body.value[name] ?? null) !== null);
  const changes: Partial<Settings> = Object.fromEntries(sent);
  await context.storage.changeSettings({ accountId: request.account.id, changes });
  return done(200, 'Settings stored.');
};
