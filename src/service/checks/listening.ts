// The SIP ports of the service that runs: held, and answering.
import { isLoopbackHost, isWildcard } from './address.ts';
import { type Finding, fail, ok } from './finding.ts';
import { sipName, tryPort } from './probe.ts';

/** `listening`: as the telephone side says it, such as `udp 0.0.0.0:5060`. */
export async function checkListening(listening: readonly string[]): Promise<Finding[]> {
  return Promise.all(
    listening.flatMap((text) => {
      const [, protocol, host, port] = /^(udp|tcp|tls) (.+):(\d+)$/.exec(text) ?? [];
      return protocol === undefined || host === undefined
        ? []
        : [checkOne(protocol as 'udp' | 'tcp' | 'tls', host.replace(/^\[|\]$/g, ''), Number(port))];
    }),
  );
}

async function checkOne(protocol: 'udp' | 'tcp' | 'tls', host: string, port: number): Promise<Finding> {
  const check = `SIP ${protocol.toUpperCase()} port`;
  const name = `${protocol.toUpperCase()} ${port}`;
  // Callers on this machine are answered; of another address the service might take us for a stranger.
  const isAsked = protocol !== 'tls' && (isLoopbackHost(host) || isWildcard(host));
  const isThere = isAsked
    ? await answers(protocol, host, port)
    : (await tryPort(protocol === 'udp' ? 'udp' : 'tcp', host, port)) !== null;
  if (isThere) return ok(check, `Port ${port} of ${host} ${isAsked ? 'answers' : 'is held'}`);
  return fail(
    check,
    `Nothing answers SIP on ${protocol.toUpperCase()} port ${port} of ${host}: phones and trunks cannot call. See the log, check the firewall of this machine, and start the service again.`,
    { code: 'sip-port-silent', values: { port: name } },
  );
}

/** A busy service may miss one request. */
const answers = async (protocol: 'udp' | 'tcp', host: string, port: number): Promise<boolean> =>
  (await sipName(protocol, host, port)) !== null || (await sipName(protocol, host, port)) !== null;
