// Some of these tests need root, namespaces or somebody else's tools. Where those are missing they say loudly that they do not run;
// in CI that is a failure.
import { execFileSync } from 'node:child_process';

function succeeds(program: string, words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function missing(words: string): true {
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

/** For describe.skipIf. A namespace is made and removed to find out. */
export function namespacesMissing(): boolean {
  const name = `dialtree-try-${process.pid}`;
  const made = succeeds('ip', ['netns', 'add', name]);
  const filters = made && succeeds('ip', ['netns', 'exec', name, 'nft', 'list', 'ruleset']);
  if (made) succeeds('ip', ['netns', 'delete', name]);
  if (filters) return false;
  return missing(
    'Network namespaces and nft cannot be used here (they need root, iproute2 and nftables): their tests DO NOT RUN.',
  );
}

export function toolMissing(tool: string, debianPackage: string): boolean {
  if (succeeds('sh', ['-c', `command -v ${tool}`])) return false;
  return missing(
    `${tool} is not installed (Debian: apt-get install ${debianPackage}): its tests DO NOT RUN.`,
  );
}
