// English: the catalogue that defines the keys. One file per area.
import { admin } from './en/admin.ts';
import { calls } from './en/calls.ts';
import { editor } from './en/editor.ts';
import { guide } from './en/guide.ts';
import { home } from './en/home.ts';
import { hours } from './en/hours.ts';
import { kit } from './en/kit.ts';
import { lines } from './en/lines.ts';
import { live } from './en/live.ts';
import { map } from './en/map.ts';
import { people } from './en/people.ts';
import { records } from './en/records.ts';
import { shell } from './en/shell.ts';
import { simulator } from './en/simulator.ts';
import { sounds } from './en/sounds.ts';
import { statistics } from './en/statistics.ts';

// § imports

export const en = {
  ...kit,
  ...shell,

  // § calls
  ...calls,

  // § editor
  ...editor,

  // § guide
  ...guide,

  // § home
  ...home,

  // § live
  ...live,

  // § map
  ...map,

  // § records
  ...records,
  ...people,
  ...hours,
  ...sounds,
  ...lines,
  ...admin,

  // § simulator
  ...simulator,

  // § statistics
  ...statistics,
} as const;
