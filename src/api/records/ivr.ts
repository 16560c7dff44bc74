// Menus, and their former versions.
import { newId } from '../../domain/id.ts';
import { lintIvr } from '../calls/lint.ts';
import { refuseIfTestsFail } from '../calls/simulate.ts';
import { readIvr } from '../schemas/ivr.ts';
import type { Collection } from './collection.ts';

export const ivrs: Collection<'ivr'> = {
  kind: 'ivr',
  path: '/v1/ivr',
  listPath: '/v1/ivrs',
  read: readIvr,
  makeId: (request) => newId(request.nowMs),
  showsWarnings: true,
  warnings: (ivr, request, context, id) => lintIvr(ivr, id, request, context),
  refuse: refuseIfTestsFail,
};
