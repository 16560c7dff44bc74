// Menus, and their former versions.
import { newId } from '../domain/id.ts';
import type { Ivr } from '../domain/ivr.ts';
import { isProblem, problem } from '../domain/problem.ts';
import type { Handler } from './answer.ts';
import {
  addressOf,
  type Collection,
  checkData,
  creating,
  deleting,
  describeRecord,
  inWords,
  listing,
  reading,
  replace,
  replacing,
  unknownRecord,
} from './collection.ts';
import { parseRow } from './directory.ts';
import { lintIvr } from './lint.ts';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageAnswer, readQuery } from './page.ts';
import { readIvr } from './schemas/ivr.ts';
import { refuseIfTestsFail } from './simulate.ts';

const ivrs: Collection<Ivr> = {
  kind: 'ivr',
  noun: 'IVR',
  path: '/v1/ivr',
  listPath: '/v1/ivrs',
  read: readIvr,
  makeId: (ask) => newId(ask.nowMs),
  showsWarnings: true,
  warnings: (ivr, ask, app, id) => lintIvr(ivr, id, ask, app),
  refuse: refuseIfTestsFail,
  // Menus stored before there were webhooks have no list of them.
  shown: (ivr) => ({ ...ivr, webhook: ivr.webhook ?? [] }),
};

export const createIvr = creating(ivrs);
export const getIvr = reading(ivrs);
export const listIvrs = listing(ivrs);
export const putIvr = replacing(ivrs);
export const deleteIvr = deleting(ivrs);

/** Newest first, the present one among them. */
export const listIvrVersions: Handler = async (ask, app) => {
  const query = readQuery(PAGE_QUERY, ask);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const beforeVersion = Number(place[0] ?? Number.MAX_SAFE_INTEGER);
  const address = addressOf('ivr', ask);
  const rows = Number.isSafeInteger(beforeVersion)
    ? await app.storage.listVersions({ ...address, beforeVersion, limit: query.limit + 1 })
    : [];
  if (rows.length === 0 && query.cursor === '') return unknownRecord('IVR');
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  const data = page.map((row) => describeRecord(ivrs, parseRow<Ivr>(row)));
  return pageAnswer(
    ask,
    `/v1/ivr/${encodeURIComponent(address.id)}/versions`,
    data,
    last ? encodeCursor([last.version]) : null,
  );
};

/** The old content as a new version: nothing is lost, and a restore can be undone by another. */
export const restoreIvr: Handler = async (ask, app) => {
  const given = ask.params['version'] ?? '';
  const version = Number(given);
  const row = /^[1-9][0-9]{0,14}$/.test(given)
    ? await app.storage.getVersion({ ...addressOf('ivr', ask), version })
    : null;
  if (!row) return problem('record_unknown', 'There is no such version of an IVR with this id.');
  const checked = await checkData(ivrs, parseRow<Ivr>(row).data, ask, app, row.id);
  if (isProblem(checked)) return checked;
  const message = (now: number) =>
    inWords(`IVR restored: version ${now} has the content of version ${version}`, checked.warnings);
  return replace(ivrs, ask, app, checked.data, message);
};
