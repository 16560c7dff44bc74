// Menus, and their former versions.
import { newId } from '../../domain/id.ts';
import { lintIvr } from '../calls/lint.ts';
import { refuseIfTestsFail } from '../calls/simulate.ts';
import { readIvr } from '../schemas/ivr.ts';
import { type Collection, creating, deleting, listing, reading, replacing } from './collection.ts';
import { listingVersions, restoring } from './versions.ts';

const ivrs: Collection<'ivr'> = {
  kind: 'ivr',
  path: '/v1/ivr',
  listPath: '/v1/ivrs',
  read: readIvr,
  makeId: (request) => newId(request.nowMs),
  showsWarnings: true,
  warnings: (ivr, request, context, id) => lintIvr(ivr, id, request, context),
  refuse: refuseIfTestsFail,
};

export const createIvr = creating(ivrs);
export const getIvr = reading(ivrs);
export const listIvrs = listing(ivrs);
export const putIvr = replacing(ivrs);
export const deleteIvr = deleting(ivrs);
export const listIvrVersions = listingVersions(ivrs);
export const restoreIvr = restoring(ivrs);
