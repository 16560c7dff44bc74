// Hindi.

import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
// § imports
import { editor } from './hi/editor.ts';
import { kit } from './hi/kit.ts';
// § imports
import { map } from './hi/map.ts';
import { shell } from './hi/shell.ts';

export const hi: Translation<typeof en> = {
  ...kit,
  ...shell,

  // § calls

  // § editor
  ...editor,

  // § guide

  // § home

  // § live

  // § map
  ...map,

  // § records

  // § simulator

  // § statistics
};
