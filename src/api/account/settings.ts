// The settings of the asking account.
import type { Settings } from '../../domain/account.ts';
import { isProblem } from '../../domain/problem.ts';
import { done, type Handler } from '../http/answer.ts';
import { SETTINGS_FIELDS } from '../schemas/account.ts';
import { readRecord } from '../schemas/field.ts';

export const getSettings: Handler = (ask) => ({ status: 200, json: ask.account.settings });

/** A setting that is not sent keeps its value. */
export const putSettings: Handler = async (ask, app) => {
  const given = readRecord(SETTINGS_FIELDS, ask.body.value);
  if (isProblem(given)) return given;
  const sent = Object.entries(given).filter(([name]) => (ask.body.value[name] ?? null) !== null);
  const changes: Partial<Settings> = Object.fromEntries(sent);
  await app.storage.changeSettings({ accountId: ask.account.id, changes });
  return done(200, 'Settings stored.');
};
