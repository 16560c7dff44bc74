// How long a caller waits who presses "Call this menu" in the console: in Debian's Chromium, from the click to the first packet of the prompt,
// and to the moment when WebRTC has connected. One call after the other, each hung up. `npm run build` first.
// Run by `npx tsx bench/browser-click.ts [calls=50]`.
import { findTools } from '../test/pages/support/browser-tools.ts';
import { AUDIO_FLAGS, HEARING_HOOKS } from '../test/pages/support/page-sound.ts';
import { startPbx } from '../test/support/pbx.ts';
import { TOKEN } from '../test/support/service.ts';
import { delaysOf } from './stamps.ts';

const LIMIT_MS = 15_000;
const PAUSE_MS = 300;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const calls = Number(options.get('calls') ?? 50);

/** In the page: clicks, and looks at the connection that the click has made until it has received a packet. */
const CLICK = `(async () => {
  const before = connections.length;
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const clickedMs = performance.now();
  document.querySelector('button[aria-label="Call this menu"]').click();
  let connectedMs = null;
  while (performance.now() - clickedMs < ${LIMIT_MS}) {
    const connection = connections[before];
    if (connection?.connectionState === 'connected') connectedMs ??= performance.now() - clickedMs;
    if (connection)
      for (const each of (await connection.getStats()).values())
        if (each.type === 'inbound-rtp' && each.packetsReceived > 0)
          return { connectedMs: connectedMs ?? performance.now() - clickedMs, heardMs: performance.now() - clickedMs };
    await sleep(2);
  }
  throw new Error('no sound');
})()`;

const tools = await findTools();
if (typeof tools === 'string') throw new Error(tools);
const browser = await tools.launch(AUDIO_FLAGS);
const pbx = await startPbx({
  env: { WEBRTC_PORT: '0', MAX_CALLS_PER_SECOND: '0' },
  recordings: { prompt: { hz: 540, ms: 120_000 } },
  menus: { main: { name: 'Main menu', recording: 'recording||prompt', timeout: 600 } },
  numbers: { '201': 'ivr||main' },
});
try {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.request.post(`${pbx.url}/v1/session`, { data: { token: TOKEN } });
  const page = await context.newPage();
  await page.addInitScript(HEARING_HOOKS);
  await page.goto(`${pbx.url}/#/menus/main`);
  await page.getByRole('button', { name: 'Call this menu' }).waitFor();
  const connected: number[] = [];
  const heard: number[] = [];
  for (let each = 0; each < calls; each++) {
    const took = (await page.evaluate(CLICK)) as { connectedMs: number; heardMs: number };
    connected.push(took.connectedMs);
    heard.push(took.heardMs);
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The call has ended.').first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const shown = (values: number[]): string => {
    const { p50, p99, max } = delaysOf(values);
    return `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`;
  };
  console.log(`${calls} calls from the console in Chromium ${browser.version()}`);
  console.log(`click to connected ${shown(connected)}`);
  console.log(`click to the first packet of the prompt ${shown(heard)}`);
} finally {
  await browser.close();
  await pbx.remove();
}
