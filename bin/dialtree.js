#!/usr/bin/env node
// The `dialtree` command. In a checkout it builds dist/ when sources have changed; an installed package comes built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`dialtree needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
if (existsSync(new URL('../src', import.meta.url))) {
  const { canBuild, isFresh } = await import('./build.js');
  if (!isFresh()) {
    const isBuilt = existsSync(new URL('../dist/dialtree.js', import.meta.url));
    if (canBuild()) {
      // In a process of its own, or the bundler would stay in the memory of the service. Its output is no line of the log.
      const build = fileURLToPath(new URL('build.js', import.meta.url));
      const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
      if (status !== 0) process.exit(status ?? 1);
    } else {
      process.stderr.write(
        `dialtree: the sources are ${isBuilt ? 'newer than dist/' : 'not built'}, and the development packages that build them are missing. ` +
          'Run "npm ci" (without --omit=dev), then "npm run build".\n',
      );
      if (!isBuilt) process.exit(1);
    }
  }
}
await import('../dist/dialtree.js');
