// The UDP port by which the sound of browsers comes.
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';
import { tryPort } from './probe.ts';

const CHECK = 'browser port';

type PortConfig = Pick<Config, 'webrtcPort' | 'isWebrtcPortChosen' | 'sipHost'>;

/** `isRunning`: a Dialtree takes calls on this machine, which holds the port. */
export async function checkBrowserPort(config: PortConfig, isRunning: boolean): Promise<Finding> {
  const { webrtcPort: port, isWebrtcPortChosen, sipHost } = config;
  if (port === undefined) return skip(CHECK, 'WEBRTC_PORT=off: no calls of browsers');
  if (port === 0) return ok(CHECK, 'WEBRTC_PORT is 0: the system chooses one');
  const code = await tryPort('udp', sipHost, port);
  const where = `UDP port ${port} of ${sipHost}`;
  if (code === null && isRunning && isWebrtcPortChosen)
    return fail(CHECK, `${where} is not held by the running Dialtree. Was it started with this WEBRTC_PORT?`);
  if (code === null) return ok(CHECK, `${where} is free`);
  if (code !== 'EADDRINUSE') return fail(CHECK, `${where} cannot be opened: ${code} (WEBRTC_PORT).`);
  if (isRunning) return ok(CHECK, `${where} is held, by the running Dialtree by all appearances`);
  const advice = 'Stop it, or set WEBRTC_PORT to a free port.';
  return isWebrtcPortChosen
    ? fail(CHECK, `${where} is taken by another program. ${advice}`)
    : warn(
        CHECK,
        `${where}, the default, is taken by another program: the service will take any free one. ${advice}`,
      );
}

/** Checks the port of the service that runs. */
export function runningBrowserPort(
  { webrtcPort: wanted }: Pick<Config, 'webrtcPort'>,
  running: { readonly port: number; readonly isTaken: boolean } | null,
): Finding | null {
  if (!running || wanted === undefined) return null;
  const { port, isTaken } = running;
  if (isTaken)
    return fail(CHECK, `Another program has taken WEBRTC_PORT ${port}: calls of browsers end at once.`, {
      code: 'browser-port-taken',
      values: { port: String(port) },
    });
  if (wanted === 0 || port === wanted) return ok(CHECK, `UDP port ${port}`);
  return warn(
    CHECK,
    `Another program has the default WEBRTC_PORT ${wanted}: browsers are heard at ${port}.`,
    {
      code: 'browser-port-other',
      values: { port: String(port), default: String(wanted) },
    },
  );
}
