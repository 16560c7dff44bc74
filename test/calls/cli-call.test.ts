// dialtree call, against a real service whose recordings are tones and with phones that share no code with it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/media/audio/wav.ts';
import { eidOf, PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { call, runDialtree, runProcess, spawnDialtree } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
let pbx: Pbx;
let agent: Phone;

beforeAll(async () => {
  pbx = await startPbx({
    recordings: { welcome: { hz: 1_270, ms: 20_000 } },
    agents: { '1001': {} },
    menus: {
      main: { recording: 'recording||welcome', option: ['12'], destination: [`extension||${eidOf('1001')}`] },
    },
    numbers: { '100': 'ivr||main' },
  });
  agent = await Phone.open({ user: '1001', password: PASSWORD, server: pbx.sip });
  expect(await agent.register()).toBe(200);
});
afterAll(async () => {
  agent?.close();
  await pbx?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Ports that the system chose differ from one protocol to the other. */
function server(protocol = 'udp'): string {
  const listening = pbx.log.flatMap((line) => (JSON.parse(line) as { sip?: string[] }).sip ?? []);
  return listening.find((each) => each.startsWith(protocol))?.split(' ')[1] ?? '';
}
const dialtree = (...words: string[]) => runProcess(words, { env: { SIP: 'on' } });

function espeakMissing(): boolean {
  if (spawnSync('espeak-ng', ['--version']).status === 0) return false;
  if (process.env['CI']) throw new Error('espeak-ng is not installed.');
  console.warn('\n!!! espeak-ng is not installed: dialtree call --say IS NOT TRIED with a text.\n');
  return true;
}

describe('dialtree call', () => {
  it('presents the number of --from and says a sound file to the agent who answers', async () => {
    const file = join(folder, 'said.wav');
    writeFileSync(file, toneWav(1_900, 3_000));
    const words = [
      '--server',
      server(),
      '--keys',
      '12',
      '--from',
      '+498912345',
      '--say',
      file,
      '--after',
      '500',
    ];
    // Said to the menu while it plays, then to the agent: what is left of it.
    const running = dialtree('call', '100', ...words);
    const ringing = await agent.incoming({ withinMs: 30_000 });
    expect(ringing.caller).toContain('+498912345');
    const talk = await ringing.answer();
    await talk.hears(1_900, { forMs: 100, withinMs: 30_000 });
    await ringing.hangUp();
    const { code, out, err } = await running;
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('saying 3.0 s of sound');
    const records = async () =>
      (await call(pbx.url, 'GET', '/v1/call/records?caller=%2B498912345')).json.data;
    await expect.poll(records).toMatchObject([{ caller: '+498912345', outcome: 'answered' }]);
  });

  it('presses keys after the prompt, hears the agent, and reports who hung up and why', async () => {
    const file = join(folder, 'heard.wav');
    const running = dialtree(
      'call',
      '100',
      '--server',
      server(),
      '--keys',
      '1,2',
      '--after',
      '500',
      '--save',
      file,
    );
    const ringing = await agent.incoming({ withinMs: 30_000 });
    await ringing.answer();
    void ringing.sendTone(2_100);
    await ringing.pressKeys('5');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await ringing.hangUp([['Reason', 'Q.850;cause=16']]);
    const { code, out, err } = await running;
    expect([err, code]).toEqual(['', 0]);
    const lines = out.split('\n').map((line) => line.replace(/^ *[\d.]+ s {2}/, ''));
    const order = [
      `calling 100 at ${server()} over UDP`,
      '200 OK',
      'hearing a tone of 1270 Hz',
      'pressing 1',
      'pressing 2',
      'hearing a tone of 2100 Hz',
      'BYE',
      'the other end hung up: normal clearing (Q.850 cause 16)',
    ];
    expect(lines.filter((line) => order.includes(line))).toEqual(order);
    expect(lines).toContain('the other end pressed 5');
    expect(out).toMatch(/^Heard:\n(.*\n)* +[\d.]+ to +[\d.]+ s {2}a tone of 1270 Hz$/m);
    expect(out).toMatch(/^\d+ packets sent, \d+ received, 0 lost \(0\.0 %\), jitter [\d.]+ ms/m);
    const audio = readWav(readFileSync(file));
    expect('fault' in audio ? audio.fault : audio.length).toBeGreaterThan(8_000);
  });

  it('hangs up by itself after --seconds, also over TCP', async () => {
    const at = ['--server', server('tcp'), '--transport', 'tcp'];
    const { code, out } = await dialtree('call', '100', ...at, '--seconds', '1');
    expect(code).toBe(0);
    expect(out).toContain('over TCP');
    expect(out).toContain('we hung up');
  });

  it('calls as an agent, with the password', async () => {
    const words = ['call', '100', '--server', server(), '--from', '1001', '--seconds', '1', '--password'];
    const right = await dialtree(...words, PASSWORD);
    expect(right.code).toBe(0);
    const newest = async () => (await call(pbx.url, 'GET', '/v1/call/records')).json.data[0];
    // The service knew who called; a record is written a moment after its call.
    for (let tries = 0; tries < 100 && (await newest())?.caller !== '1001'; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await newest()).toMatchObject({ caller: '1001', dialled: '100' });
    const wrong = await dialtree(...words, 'wrong');
    expect(wrong.out).toContain('The server asks who is calling');
    expect(wrong.code).toBe(1);
  });

  it('a refusal is reported, with code 1', async () => {
    const { code, out } = await dialtree('call', '999', '--server', server());
    expect(out).toContain('404 Not Found');
    expect(out).toContain('Nobody has this number');
    expect(code).toBe(1);
  });

  it('an address without a listener is reported, with code 1', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { code, out } = await dialtree(
      'call',
      '100',
      '--server',
      `127.0.0.1:${port}`,
      '--transport',
      'tcp',
    );
    expect(out).toContain('not answered: No way to the peer was found.');
    expect(out).toContain('is the service running');
    expect(code).toBe(1);
  });

  it('Ctrl-C sends a BYE, and the call ended well', async () => {
    const child = spawnDialtree(['call', '100', '--server', server()]);
    let out = '';
    child.stdout?.on('data', (bytes) => {
      out += String(bytes);
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await eventually(
      () => out.includes('hearing') || undefined,
      { withinMs: 30_000 },
      () => out,
    );
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(out).toContain('interrupted: hanging up');
    expect(out).toContain('we hung up');
  });

  it('says why a text or a file cannot be said, and places no call', async () => {
    const silent = { SIP: 'on', TTS_COMMAND: 'off' };
    const text = await runProcess(['call', '100', '--server', server(), '--say', 'Hello'], { env: silent });
    expect([text.code, text.out, text.err]).toEqual([
      1,
      '',
      'dialtree: --say: no program speaks text here (TTS_COMMAND is off). Install espeak-ng, or give a sound file.\n',
    ]);
    const file = await dialtree('call', '100', '--server', server(), '--say', 'missing.wav');
    expect([file.code, file.err]).toEqual([1, 'dialtree: --say missing.wav: there is no such file.\n']);
  });

  it.skipIf(espeakMissing())('speaks a text', async () => {
    const words = ['call', '100', '--server', server(), '--say', 'Please call me back', '--seconds', '3'];
    const { code, out } = await dialtree(...words);
    expect(code).toBe(0);
    expect(out).toMatch(/saying \d\.\d s of sound\n(.*\n)*.*everything is said/);
  });

  it('words that make no sense are answered with the usage and code 2', async () => {
    for (const words of [
      ['call'],
      ['call', '100', '200'],
      ['call', 'a b'],
      ['call', '100', '--keys', '1x'],
      ['call', '100', '--server', 'x:99999'],
      ['call', '100', '--seconds', 'soon'],
      ['call', '100', '--transport', 'pigeon'],
      ['call', '100', '--password', 'x'],
      ['call', '100', '--say', ' '],
    ]) {
      const { code, err } = await runDialtree(words, { env: { SIP: 'on' } });
      expect([words, code]).toEqual([words, 2]);
      expect(err).toContain('dialtree call <number>');
    }
  });
});
