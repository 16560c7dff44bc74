#!/usr/bin/env node
// The `dialtree` command. In a checkout it bundles the sources when they have changed; an installed package has them bundled.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`dialtree needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
if (existsSync(new URL('../src', import.meta.url))) {
  const { build, isFresh } = await import('./build.js');
  if (!isFresh()) await build();
}
await import('../dist/dialtree.js');
