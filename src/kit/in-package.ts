import { fileURLToPath } from 'node:url';

/** The path of a file of the package. From the sources and from a bundle in dist/. */
export function inPackage(path: string): string {
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../';
  return fileURLToPath(new URL(`${root}${path}`, import.meta.url));
}
