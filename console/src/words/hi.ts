// Hindi.
import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
import { admin } from './hi/admin.ts';
import { calls } from './hi/calls.ts';
import { editor } from './hi/editor.ts';
import { guide } from './hi/guide.ts';
import { home } from './hi/home.ts';
import { hours } from './hi/hours.ts';
import { kit } from './hi/kit.ts';
import { lines } from './hi/lines.ts';
import { live } from './hi/live.ts';
import { map } from './hi/map.ts';
import { people } from './hi/people.ts';
import { records } from './hi/records.ts';
import { shell } from './hi/shell.ts';
import { simulator } from './hi/simulator.ts';
import { sounds } from './hi/sounds.ts';
import { statistics } from './hi/statistics.ts';

// § imports

export const hi: Translation<typeof en> = {
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
};
