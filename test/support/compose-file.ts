// A compose file as data: read by Python's YAML, with its variables filled in as Docker Compose does.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [member: string]: unknown;
}
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, unknown>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** For describe.skipIf: true where no YAML can be read, after a loud word about it; in CI that is a failure. */
export function yamlMissing(): boolean {
  if (spawnSync('python3', ['-c', 'import yaml']).status === 0) return false;
  const words = 'python3-yaml is not installed: the compose files ARE NOT READ.';
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n!!! ${words}\n`);
  return true;
}

/** `${NAME:-default}` and `${NAME:?message}`; undefined `variables`: as it stands. */
export function readCompose(path: string, variables?: Readonly<Record<string, string>>): ComposeFile {
  const script = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  const text = execFileSync('python3', ['-c', script, `${root}/${path}`], { encoding: 'utf8' });
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && variables ? filled(value, variables) : value,
  );
}

const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, sign?: string, rest = '') => {
    if (variables[name]) return variables[name];
    if (sign === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });

/** ENV of the Dockerfile's last stage, and the words of its health check. */
export function imageSettings(): { env: Record<string, string>; health: string[] } {
  const text = readFileSync(`${root}/Dockerfile`, 'utf8').replace(/\\\n/g, ' ');
  const last = text.slice(text.lastIndexOf('\nFROM '));
  const [, block = ''] = /^ENV (.*)$/m.exec(last) ?? [];
  const [, health = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(last) ?? [];
  return {
    env: Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
    health: JSON.parse(health),
  };
}
