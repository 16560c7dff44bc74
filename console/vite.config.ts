import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Beside each text a smaller copy, made once here instead of for each visitor. The best quality, 11, takes three times as long for 2 %. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!/\.(?:js|css|html|svg)$/.test(name)) continue;
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }));
    }
  },
});

/** The typeface of Latin text is asked for with the page, not first when the styles have come. */
const preloadedFont = (): Plugin => ({
  name: 'preloaded-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: '',
            href: `/console/${name}`,
          },
          injectTo: 'head' as const,
        })),
  },
});

// The console: console/ → dist/console. The service serves it; there is no other process.
export default defineConfig({
  root,
  base: '/console/',
  plugins: [react(), compressed(), preloadedFont()],
  logLevel: 'warn',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing of a page is ever inlined: the policy allows no data: scripts, fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The holidays of all countries are one file, loaded where somebody chooses a country; what pages cost is held by console-budget.test.ts.
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        // What many pages use comes as a few files instead of one for each control: a page costs fewer requests.
        codeSplitting: {
          groups: [
            // Also what the map takes from the pages of menus, departments and statistics.
            {
              name: 'kit',
              test: /console\/src\/(?:kit|data|look|pages\/(?=editor\/draft|editor\/sending|departments\/department-now|statistics\/range))/,
              minShareCount: 2,
            },
            {
              name: 'records',
              test: /console\/src\/pages\/(?:records|departments|agents)\//,
              minShareCount: 3,
            },
            // Small parts that pages share with the overview: one request, not five.
            {
              name: 'overview',
              test: /console\/src\/pages\/(?:trunks\/trunk-badge|prompts\/language-name|health\/finding-text|guide\/progress|calls\/open-calls)/,
              minShareCount: 2,
            },
            // The plans of all countries' numbers are for pages of trunks alone.
            {
              name: 'domain',
              test: /\/src\/(?:domain\/(?!numbering|trunk\.)|flow\/)/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
});
