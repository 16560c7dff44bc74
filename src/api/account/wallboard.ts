// How the wallboard is coloured: settings of the account that a supervisor may change without those of the whole account.

import { readRecord } from '../../kinds/field.ts';
import { isProblem } from '../../kinds/problem.ts';
import { done, type Handler } from '../http/handler.ts';
import { SETTINGS_FIELDS } from '../schemas/account.ts';
import { THRESHOLDS } from '../schemas/notification.ts';

export const WALLBOARD_FIELDS = {
  service_level_seconds: SETTINGS_FIELDS.service_level_seconds,
  ...THRESHOLDS,
} as const;

export const getWallboard: Handler = async ({ account }) => {
  const { service_level_seconds, wallboard } = account.settings;
  return { status: 200, json: { service_level_seconds, ...wallboard } };
};

/** What is not sent gets its default. */
export const putWallboard: Handler = async (request, { storage }) => {
  const given = readRecord(WALLBOARD_FIELDS, request.body.value);
  if (isProblem(given)) return given;
  const { service_level_seconds, ...wallboard } = given;
  const changes = { service_level_seconds, wallboard };
  await storage.changeSettings({ accountId: request.account.id, changes });
  return done(200, 'Wallboard stored');
};
