// Where to listen, and what to say when that fails: in words that name the setting.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Protocol } from './transport.ts';

export interface Listen {
  readonly protocol: Protocol;
  /** Numeric, or a name of this machine. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The settings the two came from. */
  readonly hostVariable: string;
  readonly portVariable: string;
}

export class ListenError extends Error {
  readonly code: string;

  constructor(listen: Listen, cause: unknown) {
    super(wordsFor(listen, cause), { cause });
    this.code = codeOf(cause);
  }
}

export async function listenHost(listen: Listen): Promise<string> {
  if (isIP(listen.host) !== 0) return listen.host;
  try {
    return (await lookup(listen.host)).address;
  } catch (error) {
    throw new ListenError(listen, error);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}

function wordsFor(listen: Listen, cause: unknown): string {
  const { protocol, host, port, hostVariable, portVariable } = listen;
  const where = `${protocol.toUpperCase()} port ${port} of ${host}`;
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return `${where} is taken by another program. Stop it, or set ${portVariable} to a free port.`;
    case 'EACCES':
      return `This user may not open ${where}. Set ${portVariable} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Set ${hostVariable} to one, or to 0.0.0.0 for all.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} cannot be resolved. Set ${hostVariable} to an address of this machine.`;
    default:
      return `${where} cannot be opened (${portVariable}): ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
