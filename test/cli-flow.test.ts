// dialtree simulate, lint and test on files: what CI runs, without a database.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { menu } from './support/payload.ts';
import { type Json, runDialtree } from './support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const unused = join(folder, 'data');
const dialtree = (...words: string[]) => runDialtree(words, { env: { DATA_DIR: unused } });

let files = 0;
function fileOf(content: unknown): string {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const OFFICE = 'examples/office.json';
const aTest = (expected: object, more: object = {}) => ({
  name: 'a test',
  script: '1',
  expect: expected,
  ...more,
});

describe('dialtree simulate', () => {
  it('takes the payload of one menu and says on standard error what it assumes', async () => {
    const { code, out, err } = await dialtree('simulate', 'examples/menu.json', '--keys', '2');
    expect(code).toBe(0);
    expect(out).toContain('Option 2 leads to “100002”');
    expect(out).toMatch(/\nconnected: Connected to “100002”\. .*\n$/);
    expect(err).toBe(
      'examples/menu.json stands alone, so these are assumed to exist and to answer: extension||100001, extension||100002, extension||100003.\n',
    );
  });

  it('needs no database for files, and makes no data folder', async () => {
    await dialtree('simulate', OFFICE);
    expect(readdirSync(folder)).not.toContain('data');
  });

  it('takes an export file as it is, assuming nothing', async () => {
    const { code, out, err } = await dialtree('simulate', OFFICE, '--keys', '1');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Sales   Rings “Asha” on 1001, “Ben” on 1002');
  });

  it('calls the menu a number leads to, or the one named by --entry', async () => {
    expect((await dialtree('simulate', OFFICE)).out).toContain('to “Office”.');
    expect((await dialtree('simulate', OFFICE, '--entry', 'After sales')).out).toContain('to “After sales”.');
    const wrong = await dialtree('simulate', OFFICE, '--entry', 'Nowhere');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('There are: "After sales", "Office".');
  });

  it('prints the trace as JSON with --json', async () => {
    const { out } = await dialtree(
      'simulate',
      OFFICE,
      '--keys',
      '0',
      '--json',
      '--at',
      '2026-12-24T18:00:00Z',
    );
    expect(JSON.parse(out)).toMatchObject({
      entry: 'ivr||Office',
      started_at: '2026-12-24T18:00:00.000Z',
      outcome: { kind: 'connected', destination: 'extension||100001' },
      visited: ['ivr||Office', 'extension||100001'],
    });
  });

  it('lets agents be busy, blocked or slow, and the caller have a number', async () => {
    const busy = ['--agent', 'extension||100003=busy', '--agent', 'extension|100002=answer 7s'];
    const { out } = await dialtree('simulate', OFFICE, '--keys', '2,1', ...busy, '--caller', '+4930123');
    expect(out).toContain('A call from +4930123');
    expect(out).toContain('“Chen” on 1003 is busy.');
    expect(out).toContain('0:08.000  Ben          “Ben” on 1002 answered');
    const blocked = await dialtree('simulate', OFFICE, '--keys', '0', '--agent', 'extension||100001=blocked');
    expect(blocked.out).toContain('hung-up (agent-blocked)');
  });

  it('is the same again with the same seed', async () => {
    const words = ['simulate', OFFICE, '--keys', '1', '--seed', '7'];
    expect((await dialtree(...words)).out).toBe((await dialtree(...words)).out);
  });

  it('prints no colours where nobody sees them', async () => {
    expect((await dialtree('simulate', OFFICE)).out).not.toContain('\u001b');
  });

  it('lists every fault of a payload with its pointer and ends with code 1', async () => {
    const file = fileOf(menu({ name: undefined, destination: ['extension||1', 'nobody'], timeout: 'soon' }));
    const { code, out, err } = await dialtree('simulate', file);
    expect([code, out]).toEqual([1, '']);
    expect(err.split('\n').map((line) => line.slice(0, file.length + 18))).toEqual([
      `${file}: /name: name is m`,
      `${file}: /timeout: timeou`,
      `${file}: /destination/1: `,
      '',
    ]);
  });

  it('lists every fault of an export file with its record', async () => {
    const file = fileOf({
      dialtree: 1,
      ivrs: [menu({ name: 'Front', option: ['1', '1'] }), menu({ name: 'Front' })],
      agents: [{ eid: '7', name: 'Zoe', intercom: 'x' }, 'nobody'],
      numbers: {},
    });
    const { code, err } = await dialtree('simulate', file);
    expect(code).toBe(1);
    expect(err).toContain(`${file}: ivr "Front" /ivrs/0/option/1: option 1 is "1", as option 0 already is.`);
    expect(err).toContain(`${file}: agent "7" /agents/0/intercom: intercom must be 2 to 10 digits`);
    expect(err).toContain(`${file}: agent 1 /agents/1: agents 1 must be an object.`);
    expect(err).toContain(`${file}: /numbers: numbers must be a list.`);
  });

  it('says where a file is no JSON, no UTF-8, no object or not there', async () => {
    const said = async (file: string) => {
      const { code, err } = await dialtree('simulate', file);
      expect(code).toBe(1);
      return err.slice(file.length + 2);
    };
    expect(await said(fileOf('{\n  "name": "x"\n  "timeout": 5\n}'))).toBe(
      'The file is not valid JSON: line 3, column 3.\n',
    );
    expect(await said(fileOf('{"name": '))).toBe('The file is not valid JSON: it ends too early.\n');
    expect(await said(fileOf('[]'))).toBe('The file must hold a JSON object.\n');
    expect(await said(join(folder, 'none.json'))).toBe('There is no such file.\n');
    expect(await said(folder)).toContain('The file cannot be read');
    const latin = join(folder, 'latin.json');
    writeFileSync(latin, Buffer.from([0x7b, 0x22, 0xe4, 0x22, 0x7d]));
    expect(await said(latin)).toBe('The file is not valid UTF-8.\n');
  });

  it('answers words that make no sense with its own help and code 2', async () => {
    for (const [words, said] of [
      [[], 'Say which menu'],
      [[OFFICE, '--id', 'main'], 'Say which menu'],
      [[OFFICE, OFFICE], 'Say which menu'],
      [[OFFICE, '--keys', '1,,2'], '--keys: At position 3 of the script: There is a step missing here'],
      [[OFFICE, '--at', 'noon'], '--at: A time is written like'],
      [[OFFICE, '--seed', 'x'], '--seed: A seed is a whole number.'],
      [[OFFICE, '--agent', 'busy'], '--agent is written like'],
      [[OFFICE, '--agent', 'extension||100001=asleep'], '--agent extension||100001: An agent does one of'],
      [[OFFICE, '--agent', 'extension||5=busy'], 'there is no such agent here. There are: extension||100001'],
    ] as const) {
      const { code, err } = await dialtree('simulate', ...words);
      expect([words, code]).toEqual([words, 2]);
      expect(err).toContain(said);
      expect(err).toContain('dialtree simulate <file>');
      expect(err).not.toContain('dialtree token');
    }
  });
});

describe('dialtree lint', () => {
  it('groups findings by record, and warnings do not fail it', async () => {
    const { code, out } = await dialtree('lint', 'examples/broken.json');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^examples\/broken\.json: ivr\|\|Support\n {2}warning {2}option-shadowed +\/option\/0 /,
    );
    expect(out).toMatch(/\n0 errors, 2 warnings\n$/);
  });

  it('fails on more warnings than --max-warnings', async () => {
    expect((await dialtree('lint', 'examples/broken.json', '--max-warnings', '2')).code).toBe(0);
    expect((await dialtree('lint', 'examples/broken.json', '--max-warnings', '1')).code).toBe(1);
    expect((await dialtree('lint', 'examples/broken.json', '--max-warnings', 'few')).code).toBe(2);
  });

  it('does not complain about what a payload points to', async () => {
    const { code, out } = await dialtree('lint', 'examples/menu.json', '--max-warnings', '0');
    expect([code, out]).toEqual([0, '0 errors, 0 warnings\n']);
  });

  it('looks at everything in an export file, and fails on errors', async () => {
    const file = fileOf({
      dialtree: 1,
      ivrs: [
        menu({ name: 'Front', destination: ['department||Nobody at all', 'ivr||Gone'] }),
        menu({ name: 'Forgotten', timeout_destination: 'ivr||Forgotten' }),
      ],
      departments: [{ name: 'Nobody at all' }],
      numbers: [{ number: '100', destination: 'ivr||Front' }],
    });
    const { code, out } = await dialtree('lint', file, '--json');
    expect(code).toBe(1);
    const codes = JSON.parse(out).data.map(
      ({ node, code: rule, pointer }: { node: string; code: string; pointer: string }) => [
        node,
        rule,
        pointer,
      ],
    );
    expect(codes).toContainEqual(['ivr||Front', 'dead-end', '/destination/0']);
    expect(codes).toContainEqual(['ivr||Front', 'destination-missing', '/destination/1']);
    expect(codes).toContainEqual(['ivr||Front', 'recording-missing', '/recording']);
    expect(codes).toContainEqual(['ivr||Forgotten', 'loop-without-input', '/timeout_destination']);
    expect(codes).toContainEqual(['ivr||Forgotten', 'menu-unreached', '']);
    expect(JSON.parse(out).data[0]).toMatchObject({ file, name: 'Front', severity: expect.any(String) });
  });

  it('fails on a file of an account whose every prompt is missing, and on nothing else in it', async () => {
    const { name, ...fields } = menu({ name: 'Front', destination: ['hangup||now', 'hangup||now'] });
    const front = { ...fields, name, invalid_destination: 'hangup||now', timeout_destination: 'hangup||now' };
    const numbers = [{ number: '100', destination: 'ivr||Front' }];
    const file = fileOf({ dialtree: 1, ivrs: [front], numbers });
    const { code, out } = await dialtree('lint', file, '--json');
    const { data } = JSON.parse(out);
    expect(new Set(data.map((found: Json) => `${found.severity} ${found.code}`))).toEqual(
      new Set(['error recording-missing']),
    );
    expect(code).toBe(1);
  });

  it('fails on a number that leads nowhere', async () => {
    const file = fileOf({ dialtree: 1, numbers: [{ number: '101', destination: 'ivr||Gone' }] });
    const { code, out } = await dialtree('lint', file, '--json');
    expect(JSON.parse(out).data).toMatchObject([
      { node: 'number||101', code: 'destination-missing', severity: 'error', pointer: '/destination' },
    ]);
    expect(code).toBe(1);
  });

  it('goes on with the other files after a faulty one, and fails', async () => {
    const { code, out, err } = await dialtree('lint', fileOf('{'), OFFICE);
    expect([code, out]).toEqual([1, '0 errors, 0 warnings\n']);
    expect(err).toContain('not valid JSON');
  });
});

describe('dialtree test', () => {
  it('runs the tests of all menus of its files and counts them on the last line', async () => {
    const { code, out } = await dialtree('test', OFFICE);
    expect(code).toBe(0);
    expect(out).toContain('examples/office.json: After sales\n  ✓ 1 reaches support\n');
    expect(out.split('\n').at(-2)).toBe('4 passed, 0 failed');
  });

  it('shows differences and the call of a test that fails, and ends with code 1', async () => {
    const file = fileOf(
      menu({ tests: [aTest({ destination: 'extension||9' }), aTest({ outcome: 'connected' })] }),
    );
    const { code, out } = await dialtree('test', file);
    expect(code).toBe(1);
    expect(out).toContain(
      '  ✗ a test\n      destination: expected extension||9, was extension||100001.\n\n      0:00.000',
    );
    expect(out.split('\n').at(-2)).toBe('1 passed, 1 failed');
  });

  it('prints JSON with --json, traces included', async () => {
    const file = fileOf(menu({ tests: [aTest({ outcome: 'voicemail' })] }));
    const { code, out } = await dialtree('test', file, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      passed: 0,
      failed: 1,
      data: [
        {
          file,
          ivr: 'ivr||Main menu',
          name: 'Main menu',
          tests: [
            {
              name: 'a test',
              passed: false,
              differences: [expect.any(String)],
              trace: { entry: 'ivr||Main menu' },
            },
          ],
        },
      ],
    });
  });

  it('says that there are no tests, which is no failure', async () => {
    const { code, out } = await dialtree('test', 'examples/menu.json');
    expect([code, out]).toEqual([0, 'There are no tests.\n0 passed, 0 failed\n']);
  });

  it('lets no control character of a file through to the terminal', async () => {
    const named = (name: string) => menu({ tests: [{ ...aTest({ reason: 'x\u001b[2J' }), name }] });
    expect((await dialtree('test', fileOf(named('clear\u001b[2J')))).out).not.toContain('\u001b');
    const odd = { dialtree: 1, ivrs: [menu({ name: 'clear\u009b2J' })] };
    expect((await dialtree('test', fileOf(odd))).err).not.toContain('\u009b');
  });

  it('a test that is malformed is a fault with its place', async () => {
    const { code, err } = await dialtree('test', fileOf(menu({ tests: [aTest({}, { script: '1,x' })] })));
    expect(code).toBe(1);
    expect(err).toContain('/tests/0/script: At position 3 of the script');
  });
});

describe('help', () => {
  it.each(['simulate', 'lint', 'test', 'export', 'import'])(
    'dialtree %s --help shows its words',
    async (name) => {
      const { code, out } = await dialtree(name, '--help');
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^dialtree ${name} `));
      expect((await dialtree('help')).out).toContain(`dialtree ${name} `);
    },
  );
});
