// sngrep is a capture server that we did not write: what it takes from us by HEPv3 it saves as packets, which it reads again.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { toolMissing } from '../hostile/support/needs.ts';
import { freePort } from './support/program.ts';

const { hz, recordings } = tones(500, 'prompt');

describe.skipIf(toolMissing('sngrep', 'sngrep'))('sngrep', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-hep-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads a call that the service captured', async () => {
    const port = await freePort();
    const file = join(folder, 'calls.pcap');
    // -N: without its screen.
    const words = ['-L', `udp:127.0.0.1:${port}`, '-N', '-q', '-O', file];
    const sngrep = spawn('sngrep', words, { stdio: 'ignore', env: { ...process.env, TERM: 'xterm' } });
    const bed = await PhoneBed.open({
      env: { HEP_URL: `udp://127.0.0.1:${port}` },
      recordings,
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main' },
    });
    try {
      const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
      await expect.poll(() => readFileSync('/proc/net/udp', 'utf8').includes(listening)).toBe(true);
      const call = await bed.reach('100');
      await call.hears(hz.prompt, { forMs: 80 });
      await call.hangUp();
      await bed.idle();
      await expect
        .poll(() => existsSync(file) && readFileSync(file, 'latin1').includes('BYE sip:'))
        .toBe(true);
      const ended = new Promise((resolve) => sngrep.once('exit', resolve));
      sngrep.kill('SIGINT');
      await ended;
      const packets = readFileSync(file).toString('latin1');
      expect(packets).toContain(`Call-ID: ${call.dialog.callId}`);
      for (const first of ['INVITE sip:', 'SIP/2.0 200 OK', 'ACK sip:', 'BYE sip:'])
        expect(packets).toContain(first);
      execFileSync('sngrep', ['-V'], { stdio: 'ignore' });
    } finally {
      sngrep.kill('SIGKILL');
      await bed.close();
    }
  });
});
