// The choices of a trunk's editor.
import {
  FROM_USERS,
  IDENTITY_HEADERS,
  NUMBER_FORMATS,
  TRANSPORTS,
} from '../../../../src/kinds/trunk-choices.ts';
import type { Words } from '../../words/words.tsx';

export { FROM_USERS, IDENTITY_HEADERS, NUMBER_FORMATS, TRANSPORTS };

export const formatsIn = (t: Words['t']) =>
  NUMBER_FORMATS.map((value) => ({ value, label: t(`trunks.format.${value}`) }));
