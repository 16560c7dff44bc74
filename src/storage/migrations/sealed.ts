// sealed.txt: one line for each step that has landed. Lines are added, never changed.
import { checksumOf } from './ledger.ts';
import type { Migration } from './migration.ts';

const lineOf = (step: Migration): string => `${checksumOf(step)} ${step.version} ${step.name}`;

/** The lines to add to `sealed`. Throws when a landed step was changed, renumbered or removed. */
export function newSeals(sealed: string, migrations: readonly Migration[]): string[] {
  const lines = migrations.map(lineOf);
  const landed = sealed.split('\n').filter((line) => line !== '');
  const broken = landed
    .filter((line) => !lines.includes(line))
    .map((line) => line.slice(line.indexOf(' ') + 1));
  if (broken.length > 0)
    throw new Error(
      `Migration ${broken.join(', ')} has landed and must not change or go: databases exist that ran it. Append a new step.`,
    );
  return lines.slice(landed.length);
}
