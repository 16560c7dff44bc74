// What to type for another command of this program, where this one was started. Never `npx dialtree`: where the package is not installed
// that runs what a stranger may have published under the name.
import { isAbsolute, relative } from 'node:path';

export function ownCommand(
  [, program = '']: readonly string[] = process.argv,
  folder: string = process.cwd(),
): string {
  if (!program.endsWith('.js'))
    return program.includes('node_modules/.bin/') ? 'npx --no dialtree' : 'dialtree';
  const near = relative(folder, program);
  return `node ${near.startsWith('..') || isAbsolute(near) ? quoted(program) : quoted(near)}`;
}

const quoted = (path: string): string => (/^[\w./@+:-]+$/.test(path) ? path : `"${path}"`);
