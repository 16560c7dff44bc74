// Programs that Debian packages and npm does not. Where one is missing its tests cannot run: that is said loudly, and on the
// build machine it is a failure.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { it } from 'vitest';

const PACKAGES = {
  sipp: 'sip-tester',
  baresip: 'baresip',
  linphonec: 'linphone-cli',
  'twinkle-console': 'twinkle-console',
  pulseaudio: 'pulseaudio',
  parec: 'pulseaudio-utils',
  nginx: 'nginx-light',
  caddy: 'caddy',
  nft: 'nftables',
  'systemd-analyze': 'systemd',
  kamailio: 'kamailio',
  rtpengine: 'rtpengine-daemon',
  turnserver: 'coturn',
} as const;

export function has(program: keyof typeof PACKAGES): boolean {
  // Looked for, not started: some of them take `-h` for the name of a file.
  const { status } = spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore', timeout: 5_000 });
  if (status === 0) return true;
  const missing = `${program} is not installed (Debian's package ${PACKAGES[program]}): its tests did not run.`;
  console.error(`\n*** ${missing} ***\n`);
  it(`needs ${program}`, ({ skip }) => {
    if (process.env['CI'] === 'true') throw new Error(missing);
    skip(missing);
  });
  return false;
}

/**
 * A UDP port that is free, with the seven above it: SIP, or RTP and RTCP, of which SIPp takes several. It is used some time later, so it is none that
 * the system may give to somebody else meanwhile (those begin at 32768), nor one of our RTP ports.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = await bound(10_000 + 8 * (WORKER + WORKERS * Math.floor(Math.random() * 312)), host);
    if (port !== null && !given.has(port) && (await areFree(port + 1, 7, host))) {
      given.add(port);
      return port;
    }
  }
}

const given = new Set<number>();
/** Files run in as many at once, at most: what one has taken and not yet bound, no other takes. */
const WORKERS = 4;
const WORKER = Number(process.env['VITEST_POOL_ID'] ?? 1) % WORKERS;

async function areFree(first: number, count: number, host: string): Promise<boolean> {
  for (let port = first; port < first + count; port++) if ((await bound(port, host)) === null) return false;
  return true;
}

/** The port once it was bound and let go; null: somebody has it. */
function bound(port: number, host: string): Promise<number | null> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(null));
    socket.bind(port, host, () => {
      const { port: chosen } = socket.address();
      socket.close(() => resolve(chosen));
    });
  });
}
