import { expect, it } from 'vitest';
import { ownCommand } from './own-command.ts';

it.each([
  [
    'in the clone',
    ['node', '/home/dana/dialtree/bin/dialtree.js'],
    '/home/dana/dialtree',
    'node bin/dialtree.js',
  ],
  [
    'elsewhere',
    ['node', '/home/dana/dialtree/bin/dialtree.js'],
    '/home/dana',
    'node dialtree/bin/dialtree.js',
  ],
  ['above', ['node', '/opt/dialtree/bin/dialtree.js'], '/home/dana', 'node /opt/dialtree/bin/dialtree.js'],
  ['with spaces', ['node', '/opt/dial tree/bin/dialtree.js'], '/', 'node "opt/dial tree/bin/dialtree.js"'],
  [
    'in a project that has the package',
    ['node', '/srv/node_modules/.bin/dialtree'],
    '/srv',
    'npx --no dialtree',
  ],
  ['of the whole machine', ['node', '/usr/local/bin/dialtree'], '/srv', 'dialtree'],
])('the command that works %s', (_where, words, folder, typed) => {
  expect(ownCommand(words, folder)).toBe(typed);
});
