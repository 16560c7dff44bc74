// Menus, and their former versions.

import { type Pins, withoutPins } from '../../domain/withheld-pins.ts';
import { readKind } from '../../kinds/fields.ts';
import type { Ivr } from '../../kinds/ivr.ts';
import { lintIvr } from '../calls/lint.ts';
import { refuseIfTestsFail } from '../calls/simulate.ts';
import { NEW_IVR_ID } from '../schemas/ivr.ts';
import type { Collection } from './collection.ts';
import { toleratedIn } from './tolerated.ts';

/** Menus stored before there were tests have none. */
function testsWithout<Shown extends Pick<Ivr, 'tests'>>(shown: Shown, pins: Pins): Shown {
  const { tests = [] } = shown;
  return tests.length === 0 ? shown : { ...shown, tests: tests.map((test) => withoutPins(test, pins)) };
}

export const ivrs: Collection<'ivr'> = {
  kind: 'ivr',
  read: (body) => readKind('ivr', body),
  idField: NEW_IVR_ID,
  matches: ({ name, description }, needle) =>
    name.toLowerCase().includes(needle) || description.toLowerCase().includes(needle),
  showsWarnings: true,
  withoutPins: (shown, pins) => testsWithout(shown as Pick<Ivr, 'tests'>, pins),
  hidesNewId: true,
  warnings: async (ivr, request, context, id) => [
    ...toleratedIn(request),
    ...(await lintIvr(ivr, id, request, context)),
  ],
  refuse: refuseIfTestsFail,
};
