// English: the catalogue that the others follow. Each area has a file of its own.

// § imports
import { calls } from './en/calls.ts';
import { editor } from './en/editor.ts';
import { kit } from './en/kit.ts';
import { live } from './en/live.ts';
import { shell } from './en/shell.ts';
import { simulator } from './en/simulator.ts';

export const en = {
  ...kit,
  ...shell,

  // § calls
  ...calls,

  // § editor
  ...editor,

  // § guide

  // § home

  // § live
  ...live,

  // § map

  // § records

  // § simulator
  ...simulator,

  // § statistics
} as const;
