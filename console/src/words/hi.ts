// Hindi.

import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
import { kit } from './hi/kit.ts';
import { shell } from './hi/shell.ts';

// § imports

export const hi: Translation<typeof en> = {
  ...kit,
  ...shell,

  // § calls

  // § editor

  // § guide

  // § home

  // § live

  // § map

  // § records

  // § simulator

  // § statistics
};
