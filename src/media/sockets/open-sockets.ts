import { openDgram } from './dgram/dgram.ts';
import type { SocketOptions, Sockets } from './sockets.ts';
import { openSyscalls } from './syscalls/syscalls.ts';

/** `fallback`: why 'auto' is dgram. */
export async function openSockets(
  adapter: 'auto' | Sockets['adapter'],
  options: SocketOptions,
): Promise<{ sockets: Sockets; fallback: string | null }> {
  if (adapter === 'dgram') return { sockets: await openDgram(options), fallback: null };
  try {
    return { sockets: await openSyscalls(options), fallback: null };
  } catch (error) {
    if (adapter === 'syscalls') throw error;
    const fallback = error instanceof Error ? error.message : String(error);
    return { sockets: await openDgram(options), fallback };
  }
}
