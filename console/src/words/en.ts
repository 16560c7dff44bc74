// English: the catalogue that the others follow. Each area has a file of its own.
import { kit } from './en/kit.ts';
import { shell } from './en/shell.ts';

// § imports

export const en = {
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
} as const;
