// English: the catalogue that the others follow. Each area has a file of its own.


// § imports
import { editor } from './en/editor.ts';
import { kit, kit } from './en/kit.ts';
// § imports
import { map } from './en/map.ts';
import { shell } from './en/shell.ts';

export const en = {
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
} as const;
