// Hindi.

import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
// § imports
import { editor } from './hi/editor.ts';
import { guide } from './hi/guide.ts';
import { home } from './hi/home.ts';
import { kit } from './hi/kit.ts';
import { shell } from './hi/shell.ts';
import { statistics } from './hi/statistics.ts';

export const hi: Translation<typeof en> = {
  ...kit,
  ...shell,

  // § calls

  // § editor
  ...editor,

  // § guide
  ...guide,

  // § home
  ...home,

  // § live

  // § map

  // § records

  // § simulator

  // § statistics
  ...statistics,
};
