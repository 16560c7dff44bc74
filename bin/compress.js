// Writes `file.br` beside every file of a folder that gets smaller by it: the service sends these as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const TEXTS = /\.(?:html|js|css|svg|json|webmanifest)$/;

export function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!TEXTS.test(name)) continue;
    const plain = readFileSync(join(folder, name));
    const packed = brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
    if (packed.length < plain.length) writeFileSync(join(folder, `${name}.br`), packed);
  }
}
