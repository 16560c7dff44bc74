// English: the catalogue that the others follow. Each area has a file of its own.

// § imports
import { calls } from './en/calls.ts';
import { editor } from './en/editor.ts';
import { guide } from './en/guide.ts';
import { home } from './en/home.ts';
import { kit } from './en/kit.ts';
import { live } from './en/live.ts';
import { map } from './en/map.ts';
import { shell } from './en/shell.ts';
import { simulator } from './en/simulator.ts';
import { statistics } from './en/statistics.ts';

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

  // § simulator
  ...simulator,

  // § statistics
  ...statistics,
} as const;
