// The Dockerfile without an image builder: every stage is a copy of one base tree, its RUN steps run there by chroot (root, Linux).
//   node .ci/dockerfile-steps.js <base tree> <folder>
// leaves the last stage at <folder>/image and what the image says about itself in <folder>/settings.json. Knows the instructions that the
// Dockerfile has, and fails at any other.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const [base, folder] = process.argv.slice(2);
const text = readFileSync('Dockerfile', 'utf8').replace(/^#.*\n/gm, '');
const steps = text
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line)?.slice(1) ?? [line, '']);
// All that the context has: `.dockerignore` refuses everything and names what is let in.
const context = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm) ?? [];

const trees = new Map();
const lastStage = steps.filter(([word]) => word === 'FROM').length;
let stage = 0;
let tree = '';
let place = '/';
let settings = {};

const quoted = (words) =>
  Object.fromEntries([...words.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)].map(([, k, v]) => [k, v]));

function inTree(command) {
  const mounts = ['proc', 'dev'].map((name) => join(tree, name));
  execFileSync('mount', ['-t', 'proc', 'proc', mounts[0]]);
  try {
    execFileSync('mount', ['--bind', '/dev', mounts[1]]);
    const extra = existsSync(join(tree, 'etc/ssl/certs/extra.pem'))
      ? ['NODE_EXTRA_CA_CERTS=/etc/ssl/certs/extra.pem']
      : [];
    const words = [
      '-i',
      'HOME=/root',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...extra,
    ];
    const shell = ['/usr/sbin/chroot', tree, '/usr/bin/env', '-C', place, '/bin/sh', '-c', command];
    execFileSync('env', [...words, ...shell], { stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    for (const mount of mounts.toReversed())
      try {
        execFileSync('umount', ['-l', mount], { stdio: 'ignore' });
      } catch {
        // It was not mounted.
      }
  }
}

const set = (name, value) => Object.assign(settings, { [name]: value });

const run = {
  FROM(words) {
    const [, , name = String(stage)] = words.split(' ');
    stage += 1;
    tree = join(folder, stage === lastStage ? 'image' : name);
    trees.set(name, tree);
    // The base is needed no more after the last one.
    execFileSync(stage === lastStage ? 'mv' : 'cp', [...(stage === lastStage ? [] : ['-a']), base, tree]);
    place = '/';
    settings = { env: {} };
  },
  WORKDIR(words) {
    place = words;
    mkdirSync(join(tree, place), { recursive: true });
  },
  COPY(words) {
    const [, from, rest = words] = /^--from=(\S+)\s+(.*)$/.exec(words) ?? [];
    const names = rest.split(/\s+/);
    const to = resolve(place, names.pop());
    for (const name of names) {
      if (from)
        cpSync(join(trees.get(from), name), join(tree, to), { recursive: true, verbatimSymlinks: true });
      else
        for (const path of name === '.' ? context : [name].filter((one) => context.includes(one)))
          cpSync(path, join(tree, to, path), { recursive: true, verbatimSymlinks: true });
    }
  },
  RUN: inTree,
  ENV: (words) => Object.assign(settings.env, quoted(words)),
  LABEL: () => {},
  EXPOSE: () => {},
  USER: (words) => set('user', words),
  VOLUME: (words) => set('volumes', JSON.parse(words)),
  STOPSIGNAL: (words) => set('stopSignal', words),
  HEALTHCHECK: (words) => set('health', JSON.parse(/CMD (\[.*\])$/.exec(words)[1])),
  ENTRYPOINT: (words) => set('entrypoint', JSON.parse(words)),
  CMD: (words) => set('command', JSON.parse(words)),
};

for (const [word, words] of steps) {
  if (!run[word])
    throw new Error(`The Dockerfile has an instruction that this script does not know: ${word}`);
  run[word](words);
}
if (readdirSync(join(folder, 'image')).length === 0) throw new Error('The image is empty.');
writeFileSync(join(dirname(tree), 'settings.json'), JSON.stringify(settings));
