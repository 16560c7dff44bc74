// The version of the package.
import { readFileSync } from 'node:fs';
import { inPackage } from './in-package.ts';

export function version(): string {
  return (JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as { readonly version: string })
    .version;
}
