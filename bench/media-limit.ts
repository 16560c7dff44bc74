// Runs the bare pacing loop (media-bare.ts) against a peer (media-peer.ts), each on a core of its own: the limit of what media can cost.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PeerResult } from './media-peer.ts';

/** On a core of its own, so that the peer does not take the engine's time; the engine is started with `taskset -c 0`. */
export function start(name: string, core: number): ChildProcess {
  const execArgv = ['-c', String(core), process.execPath, '--import', 'tsx'];
  return fork(fileURLToPath(new URL(name, import.meta.url)), { execPath: 'taskset', execArgv });
}

export async function message<T>(child: ChildProcess): Promise<T> {
  const [first] = (await once(child, 'message')) as [T];
  return first;
}

/** Percent of one core, and what the peer saw. */
export async function bareRun(load: {
  readonly streams: number;
  readonly seconds: number;
}): Promise<{ cpu: number; peer: PeerResult }> {
  const child = start('./media-peer.ts', 1);
  const bare = start('./media-bare.ts', 0);
  const { port } = await message<{ port: number }>(child);
  bare.send({ ...load, peerPort: port });
  const { ports } = await message<{ ports: number[] }>(bare);
  child.send({ ports, seconds: load.seconds });
  const [{ cpuPercent: cpu }, peer] = await Promise.all([
    message<{ cpuPercent: number }>(bare),
    message<PeerResult>(child),
  ]);
  return { cpu, peer };
}
