// Whether the process of another node is there, by its HTTP port: what its silence in the database does not tell.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

const PROBE_MS = 1_000;

/** `refused`: its machine says that nothing listens there. `silent`: it is stopped or cut off, or its machine is gone. */
export type Probed = 'answers' | 'refused' | 'silent';

export function probeNode(url: string): Promise<Probed> {
  return new Promise((resolve) => {
    try {
      const to = new URL('/healthz', url);
      const options = { agent: false, signal: AbortSignal.timeout(PROBE_MS) } as const;
      const answered = (response: { resume(): void }): void => {
        response.resume();
        resolve('answers');
      };
      const request =
        to.protocol === 'https:'
          ? // Nothing is sent that a certificate would protect.
            httpsGet(to, { ...options, rejectUnauthorized: false }, answered)
          : httpGet(to, options, answered);
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'),
      );
    } catch {
      resolve('silent');
    }
  });
}
