// Bundles src/ into dist/ with esbuild, and console/ into dist/console with Vite: both are development packages. Packages
// stay outside the bundle. A worker thread needs an entry of its own; what only some commands need is a chunk that they load.
// Each file is put in place by a rename: a process that starts meanwhile sees the old or the new.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What other programs import: package.json names them in `exports`. */
const PUBLISHED = { client: 'client/client.ts', webhook: 'src/kit/webhook-signature.ts' };

export async function build() {
  await buildCommonJs();
  await buildService();
  await buildConsole();
}

async function buildService() {
  const { build: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: {
      dialtree: 'src/cli/dialtree.ts',
      'run-command': 'src/cli/run.ts',
      'api-thread': 'src/service/threads/api-thread.ts',
      'sqlite-worker': 'src/storage/sqlite/worker.ts',
      'media-worker': 'src/media/worker/worker.ts',
      'webrtc-process': 'src/media/webrtc/process/process.ts',
      'bot-worker': 'src/bots/worker.ts',
      ...PUBLISHED,
      'recordings-worker': 'src/recordings/worker.ts',
      'flow-worker': 'src/flow-jobs/worker.ts',
      'workbook-worker': 'src/statistics/workbook-worker.ts',
    },
    outdir: 'dist',
    write: false,
    bundle: true,
    splitting: true,
    external: installedPackages(),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  const pages = join(root, 'src/api/pages/docs-page');
  for (const name of readdirSync(pages))
    put(join(root, 'dist/docs-page', name), readFileSync(join(pages, name)));
  put(join(root, 'dist/docs-page/errors.md'), readFileSync(join(root, 'docs/errors.md')));
  // The program last: it is what isFresh() looks at.
  const files = [...outputFiles].sort(
    (a, b) => Number(a.path.includes('dialtree.js')) - Number(b.path.includes('dialtree.js')),
  );
  for (const { path, contents } of files) put(path, contents);
  // Parts of an earlier build that nothing refers to any more.
  const present = new Set(outputFiles.map(({ path }) => path));
  for (const name of readdirSync(join(root, 'dist'))) {
    const path = join(root, 'dist', name);
    if (/-[A-Z0-9]{8}\.js(\.map)?$/.test(name) && !present.has(path)) rmSync(path, { force: true });
  }
}

/** What an installation has: they stay outside. The MCP SDK is a development package, of which the bundle takes the part it needs. */
function installedPackages() {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** For programs that `require`; the package.json makes their type declarations CommonJS too. */
export async function buildCommonJs(folder = root) {
  const { build: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: PUBLISHED,
    outdir: join(folder, 'dist/cjs'),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });
  put(join(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  for (const { path, contents } of outputFiles) put(path, contents);
}

async function buildConsole() {
  if (consoleIsFresh()) return;
  const vite = await import('vite');
  // The build is for users, also when a test or NODE_ENV=development runs it.
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    // Built beside the old one and renamed: several builds at once do not empty each other's folder.
    const made = join(root, `dist/console.${process.pid}`);
    await vite.build({
      configFile: join(root, 'console/vite.config.ts'),
      mode: 'production',
      build: { outDir: made },
    });
    await buildCallButton(made);
    replaceFolder(made, join(root, 'dist/console'));
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** One file, which pages of others load: it has nothing of the console. */
async function buildCallButton(folder) {
  const { build: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: { 'call-button': 'console/src/call-button/call-button.ts' },
    outdir: folder,
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) {
    put(path, contents);
    put(`${path}.br`, brotliCompressSync(contents));
  }
}

function replaceFolder(made, place) {
  for (let attempt = 1; ; attempt++) {
    rmSync(place, { recursive: true, force: true });
    try {
      return renameSync(made, place);
    } catch (error) {
      // Another build has put its own there in between.
      if (attempt === 5) throw error;
    }
  }
}

function put(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** Whether dist/ is newer than every source. */
export function isFresh() {
  return (
    isNewer('dist/dialtree.js', ['src', 'client']) &&
    isNewer('dist/docs-page/errors.md', ['docs']) &&
    consoleIsFresh()
  );
}

/** Whether the development packages are installed. */
export const canBuild = () =>
  ['esbuild', 'vite'].every((name) => existsSync(join(root, `node_modules/${name}/package.json`)));

const consoleIsFresh = () =>
  isNewer('dist/console/index.html', ['console', 'client', 'src/flow', 'src/domain']);

function isNewer(built, sources) {
  try {
    const builtMs = statSync(join(root, built)).mtimeMs;
    return sources.every((folder) =>
      readdirSync(join(root, folder), { recursive: true }).every(
        (name) => statSync(join(root, folder, name)).mtimeMs <= builtMs,
      ),
    );
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
