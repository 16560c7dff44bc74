// Bundles src/ into dist/ with esbuild: a fraction of a second, so that `npm start` can do it every time.
// Packages stay outside the bundle; a worker thread needs a file of its own, so it is an entry of its own.
import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function build() {
  await esbuild({
    absWorkingDir: root,
    entryPoints: {
      dialtree: 'src/cli/dialtree.ts',
      'sqlite-worker': 'src/storage/sqlite/worker.ts',
    },
    outdir: 'dist',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  await cp(`${root}src/api/docs-page`, `${root}dist/docs-page`, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
