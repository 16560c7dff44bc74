// Hindi.

import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
// § imports
import { calls } from './hi/calls.ts';
import { editor } from './hi/editor.ts';
import { guide } from './hi/guide.ts';
import { home } from './hi/home.ts';
import { kit } from './hi/kit.ts';
import { live } from './hi/live.ts';
import { map } from './hi/map.ts';
import { shell } from './hi/shell.ts';
import { simulator } from './hi/simulator.ts';
import { statistics } from './hi/statistics.ts';

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

  // § simulator
  ...simulator,

  // § statistics
  ...statistics,
};
