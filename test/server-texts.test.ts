// Every sentence that the flow notes in a call and every finding of the linter is known to the console's translation. Read from the
// source: a new sentence without Hindi fails here, not in front of a user.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recognises } from '../console/src/words/server/translate.ts';

const flow = fileURLToPath(new URL('../src/flow', import.meta.url));
const NOTED =
  /(?:const (?:text|message) =|message:|\.note\(\s*[^'`]*?'[a-z-]+',)\s*(`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*')/gs;

/** Made of parts that are sentences of their own: console/src/words/server/translate.test.ts has examples. */
const COMPOSED: ReadonlySet<string> = new Set([
  'The caller is told: 77.',
  '7 is blocked: 7.',
  '“7” has no destination for calls while it is 7.',
  'Recording 7 does not exist: callers hear 7 instead.',
  'SMS template 7 7: callers who press 7 are sent no SMS.',
  '“7” is 7 (7, 7).',
  '7 (7): retry 7 of 7.',
  '7 (7): all 7 retries are used up, so it goes to 7.',
  '7: retry 7 of 7.',
  '7: all 7 retries are used up, so it goes to 7.',
]);

it('the console can translate every sentence of a call and of the linter', () => {
  const files = readdirSync(flow, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|simulation|testing|expect\.ts$/.test(name),
  );
  const found: string[] = [];
  for (const file of files)
    for (const [, literal = ''] of readFileSync(join(flow, file), 'utf8').matchAll(NOTED)) {
      const text = literal.slice(1, -1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7');
      if (/^[A-Z“7].*\.$/s.test(text)) found.push(text);
    }
  expect(found.length).toBeGreaterThan(80);
  expect(found.filter((text) => !COMPOSED.has(text) && !recognises(text))).toEqual([]);
});
