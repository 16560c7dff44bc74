// For work.ts: what a copy of a module imports from this tree is a copy, too.
import type { Plugin } from 'vite';

const COUNTED = /\?counted=[\w-]+$/;

export function countedCopies(): Plugin {
  return {
    name: 'counted-copies',
    enforce: 'pre',
    async resolveId(source, importer) {
      const [query] = COUNTED.exec(importer ?? '') ?? [];
      if (!query || !importer || !source.startsWith('.')) return null;
      const found = await this.resolve(source, importer.replace(COUNTED, ''));
      return found && `${found.id}${query}`;
    },
  };
}
