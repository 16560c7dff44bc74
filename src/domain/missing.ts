// Which of a menu's references lead nowhere. A menu may be written before its prompts and people exist, so these are
// warnings, unless the account is strict.
import type { Directory } from './directory.ts';
import { type Ivr, type PointedReference, referencesOf } from './ivr.ts';
import type { Fault } from './problem.ts';

export interface Known {
  readonly directory: Directory;
  /** Of the menus that are pointed to, those that exist. */
  readonly ivrs: ReadonlySet<string>;
}

export function ivrsPointedTo(ivr: Ivr): string[] {
  return [
    ...new Set(
      referencesOf(ivr)
        .filter(({ kind }) => kind === 'ivr')
        .map(({ id }) => id),
    ),
  ];
}

export function missingReferences(ivr: Ivr, known: Known): Fault[] {
  return referencesOf(ivr)
    .filter((reference) => !exists(reference, known))
    .map(({ pointer, kind, id }) => ({
      pointer,
      code: 'reference_unknown' as const,
      message: `${pointer.slice(1).replaceAll('/', ' ')} points to ${kind}||${id}, which does not exist.`,
    }));
}

function exists({ kind, id }: PointedReference, { directory, ivrs }: Known): boolean {
  switch (kind) {
    case 'extension':
      return directory.agents.has(id);
    case 'department':
      return directory.departments.has(id);
    case 'recording':
      return directory.recordings.has(id);
    default:
      return ivrs.has(id);
  }
}
