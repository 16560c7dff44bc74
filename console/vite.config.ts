import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Beside each text a smaller copy, made once here instead of for each visitor. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!/\.(?:js|css|html|svg)$/.test(name)) continue;
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }));
    }
  },
});

// The console: console/ → dist/console. The service serves it; there is no other process.
export default defineConfig({
  root,
  base: '/console/',
  plugins: [react(), compressed()],
  logLevel: 'warn',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing of a page is ever inlined: the policy allows no data: scripts, fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
