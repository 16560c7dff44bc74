// Starts the service as the environment says, and prints why it failed and what is still open. A
// process of its own: whether it ends by itself is part of the answer.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readConfig } from '../../src/config/config.ts';
import { serve } from '../../src/main.ts';

const PATIENCE_MS = 3000;

/** Those of TCP and UDP. */
function internetSockets(): Set<string> {
  const lines = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) =>
    readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n'),
  );
  return new Set(lines.map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`));
}

/** Sockets and the event loops of threads. */
function openDescriptors(): string[] {
  const sockets = internetSockets();
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target === 'anon_inode:[eventpoll]' || sockets.has(target) ? [target] : [];
    } catch {
      // The one that the folder was read by.
      return [];
    }
  });
}

const config = readConfig();
if ('faults' in config) throw new Error(config.faults.join('\n'));
const before = openDescriptors();
let message = 'It started.';
try {
  await serve(config, { write: () => undefined });
} catch (error) {
  message = (error as Error).message;
}
/** Sockets have a number; what else has the same name is counted. */
function opened(): string[] {
  const left = [...before];
  return openDescriptors().filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
for (const startMs = Date.now(); opened().length > 0 && Date.now() - startMs < PATIENCE_MS; )
  await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write(`${JSON.stringify({ message, open: opened() })}\n`);
