// Menus, and their former versions.
import { lintIvr } from '../calls/lint.ts';
import { refuseIfTestsFail } from '../calls/simulate.ts';
import { NEW_IVR_ID, readIvr } from '../schemas/ivr.ts';
import type { Collection } from './collection.ts';
import { toleratedIn } from './tolerated.ts';

export const ivrs: Collection<'ivr'> = {
  kind: 'ivr',
  path: '/v1/ivr',
  listPath: '/v1/ivrs',
  read: readIvr,
  idField: NEW_IVR_ID,
  matches: ({ name, description }, needle) =>
    name.toLowerCase().includes(needle) || description.toLowerCase().includes(needle),
  showsWarnings: true,
  hidesNewId: true,
  warnings: async (ivr, request, context, id) => [
    ...toleratedIn(request),
    ...(await lintIvr(ivr, id, request, context)),
  ],
  refuse: refuseIfTestsFail,
};
