// T30: what the package depends on. That it installs and runs without install scripts: .ci/new-user.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { figure } from './support/figure.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const MAX_DIRECT = 16;
const LICENCES: readonly string[] = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
];
/** Libraries used unchanged, whose licences are about changes to them: of the decoder of Ogg, and of browser legs. */
const UNCHANGED: readonly (readonly [licence: string, path: string])[] = [
  ['LGPL', 'node_modules/codec-parser'],
  ['MPL 2.0', 'node_modules/node-datachannel'],
  ['MPL 2.0', 'node_modules/@node-datachannel/'],
];

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

describe('T30: the supply chain', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const locked = Object.entries(packages).filter(([path]) => path !== '');
  const production = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);

  it(`T30: at most ${MAX_DIRECT} direct production dependencies, all at exact versions`, () => {
    const direct = { ...dependencies, ...optionalDependencies };
    expect(Object.keys(direct).length).toBeLessThanOrEqual(MAX_DIRECT);
    const inexact = Object.entries({ ...direct, ...devDependencies }).filter(
      ([, v]) => !/^\d+\.\d+\.\d+$/.test(v),
    );
    expect(inexact).toEqual([]);
    figure(
      'T30',
      `${Object.keys(direct).length} direct production dependencies, ${production.length} packages in all`,
    );
  });

  it('T30: every package of the lockfile has a checksum and comes from one place, over https', () => {
    expect(
      locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([]);
    const hosts = new Set(locked.map(([, { resolved }]) => (resolved ? new URL(resolved).origin : 'none')));
    expect(hosts.size).toBe(1);
    expect([...hosts].every((host) => host === 'none' || host.startsWith('https://'))).toBe(true);
  });

  it('T30: a new user installs without install scripts', () => {
    expect(read('.ci/new-user')).toContain('--ignore-scripts');
  });

  it('T30: licences of production packages are on the list', () => {
    const others = production.filter(
      ([path, { license = '' }]) =>
        !LICENCES.includes(license) &&
        !UNCHANGED.some(([licence, at]) => license.startsWith(licence) && path.startsWith(at)),
    );
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });
});
