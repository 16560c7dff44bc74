// Ports: free, or held by a Dialtree that runs already.
import type { Config } from '../../config/config.ts';
import { openMedia } from '../../media/engine/engine.ts';
import { type Finding, fail, ok, reasonOf, warn } from '../../service/checks/finding.ts';
import { sipName, tryPort } from '../../service/checks/probe.ts';

const ANSWER_MS = 1_500;
const OUR_NAME = 'Dialtree';

export interface PortReport {
  readonly findings: readonly Finding[];
  /** Whether a Dialtree takes calls there now. */
  readonly isRunning: boolean;
  /** Whether the telephone side could be opened on these ports. */
  readonly isFree: boolean;
}

/** `isRunning`: a Dialtree answers there. */
export async function checkHttpPort({
  host,
  port,
}: Config): Promise<{ finding: Finding; isRunning: boolean }> {
  const check = 'HTTP port';
  if (port === 0) return { finding: ok(check, 'PORT is 0: the system chooses one'), isRunning: false };
  const code = await tryPort('tcp', host, port);
  if (code === null) return { finding: ok(check, `TCP port ${port} of ${host} is free`), isRunning: false };
  if (code === 'EADDRINUSE' && (await isOurHttp(host, port)))
    return { finding: ok(check, `A running Dialtree answers on port ${port} of ${host}`), isRunning: true };
  return { finding: fail(check, inWords(code, 'TCP', host, port, 'HOST', 'PORT')), isRunning: false };
}

async function isOurHttp(host: string, port: number): Promise<boolean> {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return ((await answer.json()) as { status?: unknown }).status === 'alive';
  } catch {
    return false;
  }
}

export async function checkSipPorts(config: Config, isHttpOurs: boolean): Promise<PortReport> {
  const { sipHost, sipPort, sipTlsPort } = config;
  const findings: Finding[] = [];
  let isRunning = false;
  let isFree = true;
  for (const protocol of ['udp', 'tcp'] as const) {
    const check = `SIP ${protocol.toUpperCase()} port`;
    if (sipPort === 0) {
      findings.push(ok(check, 'SIP_PORT is 0: the system chooses one'));
      continue;
    }
    const code = await tryPort(protocol, sipHost, sipPort);
    const name = code === 'EADDRINUSE' ? await sipName(protocol, sipHost, sipPort) : null;
    if (code === null)
      findings.push(ok(check, `${protocol.toUpperCase()} port ${sipPort} of ${sipHost} is free`));
    else if (name === OUR_NAME || (name === null && code === 'EADDRINUSE' && isHttpOurs)) {
      isRunning = true;
      findings.push(
        ok(
          check,
          `A running Dialtree ${name === null ? 'holds' : 'answers on'} port ${sipPort} of ${sipHost}`,
        ),
      );
    } else {
      const who = name === null ? '' : ` It answers SIP${name === '' ? '' : ` as “${name}”`}.`;
      findings.push(
        fail(check, inWords(code, protocol.toUpperCase(), sipHost, sipPort, 'SIP_HOST', 'SIP_PORT') + who),
      );
    }
    if (code !== null) isFree = false;
  }
  if (sipTlsPort !== undefined && sipTlsPort !== 0) {
    const code = await tryPort('tcp', sipHost, sipTlsPort);
    if (code === null) findings.push(ok('SIP TLS port', `TCP port ${sipTlsPort} of ${sipHost} is free`));
    else if (isRunning)
      findings.push(
        ok('SIP TLS port', `Port ${sipTlsPort} is held, by the running Dialtree by all appearances`),
      );
    else
      findings.push(
        fail('SIP TLS port', inWords(code, 'TCP', sipHost, sipTlsPort, 'SIP_HOST', 'SIP_TLS_PORT')),
      );
    if (code !== null) isFree = false;
  }
  return { findings, isRunning, isFree };
}

/** Which adapter moves the packets, tried on a few ports of its own choice. */
export async function checkMedia({ mediaSockets, sipHost }: Config): Promise<Finding> {
  const check = 'sound';
  try {
    const from = 30_000 + 2 * Math.floor(Math.random() * 1_300);
    const ports = { from, to: from + 7 };
    const engine = await openMedia({
      host: sipHost,
      ports,
      workers: 1,
      adapter: mediaSockets,
      rtpTimeoutMs: 60_000,
    });
    const { adapter, fallback } = engine;
    await engine.close();
    if (fallback !== null)
      return warn(
        check,
        `Packets go by dgram, at some three times the CPU of system calls, which cannot be used: ${fallback}`,
      );
    return ok(
      check,
      adapter === 'syscalls'
        ? 'Packets go by system calls, the fastest way'
        : `Packets go by ${adapter}, as MEDIA_SOCKETS says`,
    );
  } catch (error) {
    return fail(check, `${reasonOf(error)}. Set MEDIA_SOCKETS=auto, and check SIP_HOST.`);
  }
}

function inWords(
  code: string,
  protocol: string,
  host: string,
  port: number,
  hostVariable: string,
  portVariable: string,
): string {
  const where = `${protocol} port ${port} of ${host}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is taken by another program. Stop it, or set ${portVariable} to a free port.`;
    case 'EACCES':
      return `This user may not open ${where}. Set ${portVariable} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Set ${hostVariable} to one, or to 0.0.0.0 for all.`;
    default:
      return `${where} cannot be opened: ${code} (${portVariable}).`;
  }
}
