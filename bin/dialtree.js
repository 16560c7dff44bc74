#!/usr/bin/env node
// The `dialtree` command. In a checkout it bundles the sources when they have changed; an installed package has them bundled.
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
  const { isFresh } = await import('./build.js');
  if (!isFresh()) {
    // In a process of its own: what builds is large, and would stay in the service's memory. What it says is no line of the log.
    const build = fileURLToPath(new URL('build.js', import.meta.url));
    const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(status ?? 1);
  }
}
await import('../dist/dialtree.js');
