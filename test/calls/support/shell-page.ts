// The commands of a page of the documentation: its `sh` blocks, run in order by one shell, against a service of their own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../support/service.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface Fence {
  readonly language: string;
  readonly text: string;
}

export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language: language.trim(),
    text,
  }));
}

/**
 * Commands as a user types them, before the real ones in PATH: curl fails on 4xx and 5xx and follows a stream for a moment, node
 * runs this build, a service that the page starts has ports and data of its own and is ended after some seconds.
 */
const COMMANDS = {
  curl: `case "$*" in
  */events*) "$REAL_CURL" -sS --fail-with-body --max-time 1 "$@" || [ $? = 28 ] ;;
  *) "$REAL_CURL" -sS --fail-with-body --max-time 20 "$@" ;;
esac || exit
echo`,
  node: `[ "$1" = bin/dialtree.js ] || exec "$NODE" "$@"
shift
if [ "$1" != serve ]; then exec "$NODE" "$DIALTREE_PROGRAM" "$@"; fi
export PORT=0 SIP_PORT=0 DATA_DIR=$(mktemp -d)
timeout -s TERM 4 "$NODE" "$DIALTREE_PROGRAM" "$@" || [ $? = 124 ]`,
  sudo: 'exec "$@"',
};

export interface Run {
  readonly code: number | null;
  /** Standard output and error, as they came. */
  readonly out: string;
}

export interface PageRun {
  readonly service: Service;
  readonly sipPort: number;
  /** Variables that the page says the reader has. */
  readonly given?: Readonly<Record<string, string>>;
  /** Names and addresses of the page, and what stands for them here. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Made in the folder where the commands run, beside examples/ and data/. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

export async function runPage(markdown: string, folder: string, run: PageRun): Promise<Run> {
  const { service, sipPort, given = {}, instead = {}, files = {} } = run;
  const commands = join(folder, '.commands');
  mkdirSync(commands);
  for (const [name, text] of Object.entries(COMMANDS))
    writeFileSync(join(commands, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  symlinkSync(service.dataDir, join(folder, 'data'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const { host } = new URL(service.url);
  const replaced: Record<string, string> = {
    '127.0.0.1:8080': host,
    'localhost:8080': host,
    ...instead,
  };
  let script = fencesOf(markdown)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .join('\n');
  for (const [there, here] of Object.entries(replaced)) script = script.replaceAll(there, here);
  const child = spawn('nice', ['-n', '5', 'sh', '-euc', script], {
    cwd: folder,
    env: {
      PATH: `${commands}:${process.env['PATH']}`,
      HOME: folder,
      TMPDIR: folder,
      REAL_CURL: execFileSync('which', ['curl'], { encoding: 'utf8' }).trim(),
      NODE: process.execPath,
      DIALTREE_PROGRAM: join(root, 'dist/dialtree.js'),
      DATA_DIR: service.dataDir,
      PORT: new URL(service.url).port,
      SIP_PORT: String(sipPort),
      TOKEN: readFileSync(join(service.dataDir, 'access-token'), 'utf8').trim(),
      ...given,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      out += String(bytes);
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out };
}
