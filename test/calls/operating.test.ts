// What an operator sees of calls: lines of the log, metrics, and the dashboard and alert rules of deploy/grafana, each of whose expressions
// is held against the scrape of a service that had calls.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extension } from '../support/pbx.ts';
import { missingIn, parseScrape, type Series } from '../support/prometheus.ts';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const deployed = (path: string): string =>
  fileURLToPath(new URL(`../../deploy/grafana/${path}`, import.meta.url));
const { hz, recordings } = tones(400, 'prompt');

/** They have a series from the first delivery on, or with a server to send to (hep.test.ts, tracing.test.ts). */
const ONLY_IN_USE: readonly string[] = [
  'dialtree_outbox_tries_total',
  'dialtree_sms_total',
  'dialtree_hep_messages_total',
  'dialtree_trace_spans_total',
];

let bed: PhoneBed;
beforeAll(async () => {
  bed = await PhoneBed.open({
    env: { LOG_LEVEL: 'info' },
    recordings,
    agents: { '1001': {} },
    menus: {
      main: { recording: 'recording||prompt', timeout: 60, option: ['1'], destination: [extension('1001')] },
    },
    numbers: { '100': 'ivr||main' },
    trunks: {
      // Port 9 of this machine: nothing answers there.
      broken: { port: 9, transport: 'tcp', register: true, username: 'us' },
      quiet: { addresses: ['192.0.2.9'] },
      out: {
        port: 9,
        transport: 'tcp',
        agents_may_call: true,
        outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
      },
    },
  });
});
afterAll(() => bed?.close());

const lines = (msg: string): Json[] =>
  bed.pbx.log.map((line) => JSON.parse(line) as Json).filter((line) => line.msg === msg);
const line = (msg: string, call: string): Promise<Json> =>
  bed.until(`the line "${msg}"`, async () => lines(msg).find((each) => each.call === call) ?? null);
const scrape = async (): Promise<Series[]> => parseScrape((await bed.api('GET', '/metrics')).text);
const valueIn = (
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  series
    .filter(
      (each) =>
        each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);

const grownIn = (before: readonly Series[], after: readonly Series[], name: string, labels = {}): number =>
  valueIn(after, name, labels) - valueIn(before, name, labels);

test('an answered call has a line when it begins and one when it ends, and is counted', async () => {
  const before = await scrape();
  const phone = await bed.agent('1001');
  const caller = await bed.choose('100', hz.prompt, '1');
  const incoming = await phone.incoming();
  await incoming.answer();
  await bed.until('a connected call', async () => (await bed.metric('dialtree_legs')) === 2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await caller.hangUp();
  const record = await bed.record(caller);
  expect(await line('call began', record.id)).toMatchObject({
    level: 30,
    account: 'default',
    direction: record.direction,
    caller: callerOf(caller),
    dialled: '100',
    entry: 'ivr||main',
  });
  expect(await line('call ended', record.id)).toMatchObject({
    outcome: 'answered',
    end: record.end.code,
    answered_by: '91001',
    duration_ms: record.duration_ms,
    wait_ms: record.wait_ms,
    talk_ms: record.talk_ms,
    packets_received: expect.any(Number),
    loss_percent: expect.any(Number),
    jitter_ms: expect.any(Number),
  });
  const after = await scrape();
  const grown = (name: string, labels = {}): number => grownIn(before, after, name, labels);
  expect(grown('dialtree_calls_offered_total', { direction: record.direction })).toBe(1);
  expect(grown('dialtree_call_outcomes_total', { outcome: 'answered' })).toBe(1);
  expect(grown('dialtree_calls_answered_total', { direction: record.direction })).toBe(1);
  expect(grown('dialtree_call_answer_delay_seconds_count')).toBe(1);
  expect(grown('dialtree_call_talk_seconds_sum')).toBeCloseTo(record.talk_ms / 1000, 1);
  expect(grown('dialtree_rtp_packets_received_total')).toBeGreaterThan(10);
  expect(grown('dialtree_leg_jitter_seconds_count')).toBeGreaterThan(0);
  expect(valueIn(after, 'dialtree_build_info')).toBe(1);
});

test('a call to a number that does not exist is refused in the log and in the metrics', async () => {
  const call = await bed.dial('999');
  await expect(call.answered()).rejects.toThrow('404');
  const refused = await bed.until('a refused call', async () => lines('call refused')[0] ?? null);
  expect(refused).toMatchObject({ level: 30, dialled: '999', status: 404 });
  expect(valueIn(await scrape(), 'dialtree_calls_refused_total', { status: '404' })).toBe(1);
});

test('a refused call that has an outcome was offered, too', async () => {
  const before = await scrape();
  const phone = await bed.agent('1001');
  await expect((await phone.call('998')).answered()).rejects.toThrow('403');
  const after = await bed.until('a refused call', async () => {
    const series = await scrape();
    return grownIn(before, series, 'dialtree_call_outcomes_total', { outcome: 'refused' }) > 0
      ? series
      : null;
  });
  expect(grownIn(before, after, 'dialtree_call_outcomes_total')).toBe(1);
  expect(grownIn(before, after, 'dialtree_calls_offered_total', { direction: 'outbound' })).toBe(1);
});

test('a trunk that cannot register is a warning and a failing trunk', async () => {
  const failed = await bed.until('a warning', async () => lines('trunk registration failed')[0] ?? null);
  expect(failed).toMatchObject({ level: 40, registered: false, problem: expect.stringMatching(/./) });
  const series = await scrape();
  const states = ['registered', 'failing', 'unregistered'].map((state) =>
    valueIn(series, 'dialtree_trunks', { state }),
  );
  expect(states).toEqual([0, 1, 2]);
});

test('a call that a trunk does not carry is a warning', async () => {
  const phone = await bed.agent('1001');
  const call = await phone.call('+4930123456');
  const failed = await bed.until('a warning', async () => lines('trunk call failed')[0] ?? null);
  expect(failed).toMatchObject({ level: 40, name: 'out', by: 'network' });
  await call.hangUp().catch(() => undefined);
});

test('health checks and scrapes are counted and not logged', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await bed.api('GET', path)).status).toBe(200);
  expect((await bed.api('GET', '/v1/agents')).status).toBe(200);
  await bed.until('the line of another request', async () =>
    lines('request answered').some(({ route }) => route === '/v1/agents'),
  );
  const routes = new Set(lines('request answered').map(({ route }) => route));
  expect([...routes].filter((route) => ['/healthz', '/readyz', '/metrics'].includes(route))).toEqual([]);
  expect(valueIn(await scrape(), 'dialtree_http_requests_total', { route: '/healthz' })).toBeGreaterThan(0);
});

const dashboard = JSON.parse(readFileSync(deployed('dashboard.json'), 'utf8')) as Json;
const panels = (dashboard.panels as Json[]).filter(({ type }) => type !== 'row');
const alerts = readFileSync(deployed('alerts.yml'), 'utf8');
/** Folded expressions (>-) go on in deeper lines. */
const alertExpressions = [...alerts.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, folded, plain]) => (folded ?? plain ?? '').replace(/\s+/g, ' ').trim(),
);
const panelExpressions = panels.flatMap(({ title, targets }) =>
  (targets as Json[]).map(
    ({ expr, legendFormat }) => [title as string, expr as string, legendFormat as string] as const,
  ),
);

test('every expression of the dashboard and of the alerts names metrics and labels that the service has', async () => {
  const series = await scrape();
  expect(alertExpressions).toHaveLength(alerts.split('- alert:').length - 1);
  const missing = [
    ...alertExpressions.map((expr) => [expr, missingIn(series, expr)] as const),
    ...panelExpressions.map(([title, expr]) => [`${title}: ${expr}`, missingIn(series, expr)] as const),
  ];
  expect(missing.filter(([, faults]) => faults.length > 0)).toEqual([]);
});

test('docs/operating.md has every metric and every alert', async () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const documented = new Set(page.match(/\bdialtree_\w+/g));
  const names = (await scrape()).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''));
  const own = [...new Set(names)].filter((name) => name.startsWith('dialtree_'));
  expect(own.filter((name) => !documented.has(name))).toEqual([]);
  const unknown = [...documented].filter((name) => !own.includes(name) && !ONLY_IN_USE.includes(name));
  expect(unknown).toEqual([]);
  for (const [, alert = ''] of alerts.matchAll(/- alert: (\w+)/g)) expect(page).toContain(`\`${alert}\``);
});

test('a misspelt metric, label or value is found', async () => {
  const series = await scrape();
  const faults = (expression: string): string[] => missingIn(series, expression);
  expect(faults('sum(dialtree_calls)')).toEqual([]);
  expect(faults('sum(dialtree_callz)')).toEqual(['dialtree_callz']);
  expect(faults('sum by (stat) (dialtree_trunks)')).toEqual(['by (stat)']);
  expect(faults('dialtree_trunks{state="down"}')).toEqual(['dialtree_trunks{state=down}']);
  expect(faults('rate(dialtree_call_outcomes_total{outcome=~"answered|mised"}[5m])')).toEqual([
    'dialtree_call_outcomes_total{outcome=mised}',
  ]);
});

test('the dashboard has the form that Grafana loads', () => {
  expect(dashboard).toMatchObject({ uid: 'dialtree', title: 'Dialtree', schemaVersion: expect.any(Number) });
  const all = dashboard.panels as Json[];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const cells = new Set<string>();
  for (const { title, gridPos } of all) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x},${y}`), `${title} lies on another panel`).toBe(false);
        cells.add(`${x},${y}`);
      }
  }
  const variables = new Set((dashboard.templating.list as Json[]).map(({ name }) => name));
  for (const { title, type, description, targets, datasource } of panels) {
    expect(['stat', 'timeseries'], title).toContain(type);
    expect(description, title).toMatch(/\.$/);
    expect(datasource.uid, title).toMatch(/^\$\{datasource\}$/);
    expect(new Set((targets as Json[]).map(({ refId }) => refId)).size, title).toBe(targets.length);
  }
  for (const [title, expr, legend] of panelExpressions) {
    for (const [, name] of expr.matchAll(/\$(\w+)/g))
      expect(name === '__rate_interval' || variables.has(name), `${title}: $${name}`).toBe(true);
    // A label in a legend is one that the result still has.
    const kept = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? ['version'];
    for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect(kept, title).toContain(label);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test('promtool is installed in CI', () => {
  if (process.env['CI']) expect(hasPromtool, 'apt-get install prometheus').toBe(true);
});

test.skipIf(!hasPromtool)(
  'promtool accepts the rules, the configuration and every expression of the dashboard',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-promtool-'));
    try {
      const rules = panelExpressions.map(([, expr], index) => {
        const plain = expr.replaceAll('$__rate_interval', '5m').replace(/\$\w+/g, '.*');
        return `      - record: panel:${index}\n        expr: '${plain}'`;
      });
      const file = join(folder, 'panels.yml');
      writeFileSync(file, `groups:\n  - name: panels\n    rules:\n${rules.join('\n')}\n`);
      const run = (...words: string[]) => spawnSync('promtool', words, { encoding: 'utf8' });
      for (const words of [
        ['check', 'rules', file],
        ['check', 'rules', deployed('alerts.yml')],
        ['check', 'config', deployed('prometheus.yml')],
      ]) {
        const { status, stdout, stderr } = run(...words);
        expect(status, `${stdout}${stderr}`).toBe(0);
      }
      const unit = join(folder, 'unit.yml');
      writeFileSync(unit, unitTests(deployed('alerts.yml')));
      const { status, stdout, stderr } = run('test', 'rules', unit);
      expect(status, `${stdout}${stderr}`).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** A trunk that fails from the fifth minute on, and a service in order; calls that were answered and then hung up by an operator (a), and missed ones (b). */
const unitTests = (rules: string): string => `
rule_files: ['${rules}']
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: 'dialtree_trunks{instance="a",job="dialtree",state="failing"}'
        values: '0x4 1x20'
      - series: 'dialtree_trunks{instance="b",job="dialtree",state="failing"}'
        values: '0x30'
      - series: 'dialtree_calls_answered_total{instance="a",job="dialtree",direction="inbound"}'
        values: '0+3x60'
      - series: 'dialtree_call_outcomes_total{instance="a",job="dialtree",direction="inbound",outcome="interrupted"}'
        values: '0+3x60'
      - series: 'dialtree_call_outcomes_total{instance="a",job="dialtree",direction="inbound",outcome="missed"}'
        values: '0+1x60'
      - series: 'dialtree_calls_answered_total{instance="b",job="dialtree",direction="inbound"}'
        values: '0+1x60'
      - series: 'dialtree_call_outcomes_total{instance="b",job="dialtree",direction="inbound",outcome="missed"}'
        values: '0+3x60'
    alert_rule_test:
      - eval_time: 4m
        alertname: DialtreeTrunkFailing
      - eval_time: 12m
        alertname: DialtreeTrunkFailing
        exp_alerts:
          - exp_labels: { instance: a, severity: critical }
            exp_annotations:
              summary: '1 trunks of a are not registered.'
              description: 'The log has "trunk registration failed" with the reason; GET /v1/trunk/{id}/state has it, too.'
      - eval_time: 50m
        alertname: DialtreeFewCallsAnswered
        exp_alerts:
          - exp_labels: { instance: b, severity: warning }
            exp_annotations:
              summary: 'Of the inbound calls at b only 25% were answered in half an hour.'
`;
