// The built console, file by file. What there is is listed once; a request chooses among these names, and no path is made
// of anything that was asked for (T19 is the policy's part, in console.ts).
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  png: 'image/png',
  wav: 'audio/wav',
};
/** The others are compressed by themselves. */
const COMPRESSIBLE: ReadonlySet<string> = new Set(['html', 'js', 'css', 'svg', 'json', 'webmanifest']);
const ASSETS = 'assets';

export type Coding = 'br' | 'gzip' | 'identity';

export interface ConsoleFile {
  readonly type: string;
  readonly compressible: boolean;
  /** Its name has a hash of its content: what was fetched once never changes. */
  readonly hashed: boolean;
  /** A hash of the bytes before coding, for the ETag. */
  readonly mark: string;
  /** In the best of these codings that it has. */
  coded(codings: ReadonlySet<Coding>): Promise<{ readonly coding: Coding; readonly bytes: Buffer }>;
}

interface Listed {
  readonly extension: string;
  /** `name.br` is there, too: compressed when it was built. */
  readonly hasBrotli: boolean;
}

export class ConsoleFiles {
  readonly #folder: string;
  #listed: Promise<ReadonlyMap<string, Listed>> | undefined;
  readonly #opened = new Map<string, Promise<ConsoleFile>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `index.html`, `assets/name.js`; null: there is no such file. */
  async find(name: string): Promise<ConsoleFile | null> {
    this.#listed ??= this.#list();
    const names = await this.#listed;
    // Not built yet: it may be, by the next time.
    if (names.size === 0) this.#listed = undefined;
    const listed = names.get(name);
    if (!listed) return null;
    const known = this.#opened.get(name);
    if (known) return known;
    const opening = this.#open(name, listed);
    this.#opened.set(name, opening);
    // A build under our feet has removed it; the next one asks again.
    opening.catch(() => this.#opened.delete(name));
    return opening.catch(() => null);
  }

  async #list(): Promise<ReadonlyMap<string, Listed>> {
    const inFolder = async (path: string, before: string): Promise<string[]> =>
      (await readdir(path).catch(() => [])).map((name) => before + name);
    const names = [
      ...(await inFolder(this.#folder, '')),
      ...(await inFolder(join(this.#folder, ASSETS), `${ASSETS}/`)),
    ];
    const present = new Set(names);
    const listed = new Map<string, Listed>();
    for (const name of names) {
      const extension = name.slice(name.lastIndexOf('.') + 1);
      if (Object.hasOwn(TYPES, extension))
        listed.set(name, { extension, hasBrotli: present.has(`${name}.br`) });
    }
    return listed;
  }

  async #open(name: string, { extension, hasBrotli }: Listed): Promise<ConsoleFile> {
    const path = join(this.#folder, name);
    const plain = await readFile(path);
    const brotli = hasBrotli ? await readFile(`${path}.br`) : null;
    const compressible = COMPRESSIBLE.has(extension);
    let zipped: Promise<Buffer> | undefined;
    return {
      type: TYPES[extension] ?? 'application/octet-stream',
      compressible,
      hashed: name.startsWith(`${ASSETS}/`),
      mark: createHash('sha256').update(plain).digest('base64url').slice(0, 16),
      async coded(codings) {
        if (brotli && codings.has('br')) return { coding: 'br', bytes: brotli };
        if (!compressible || !codings.has('gzip')) return { coding: 'identity', bytes: plain };
        // Once, for all who ask.
        zipped ??= promisify(gzip)(plain);
        return { coding: 'gzip', bytes: await zipped };
      },
    };
  }
}

/** The codings in Accept-Encoding that we have; one with the weight 0 is not wanted (RFC 9110 §12.5.3). */
export function codingsOf(accept: string | string[] | undefined): ReadonlySet<Coding> {
  const codings = new Set<Coding>(['identity']);
  if (typeof accept !== 'string' || accept.length > 1000) return codings;
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((word) => word.startsWith('q='));
    if (weight !== undefined && Number(weight.slice(2)) === 0) continue;
    if (name === 'br' || name === 'gzip') codings.add(name);
  }
  return codings;
}
