// The commands of docs/hours-and-callers.md are run here, on the demonstration data.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  // With a mail server, which the box of the example needs to work without a warning; nothing is sent to it here.
  service = await startService({
    env: { ACCESS_TOKEN: '', DEMO: 'on', SMTP_URL: 'smtp://127.0.0.1:2525' },
  });
});
afterAll(() => service?.remove());

it.skipIf(spawnSync('curl', ['--version']).status !== 0)('every example works as it stands', () => {
  const text = readFileSync(new URL('../docs/hours-and-callers.md', import.meta.url), 'utf8');
  const script = [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, lines = '']) => lines)
    .join('')
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('data/access-token', join(service.dataDir, 'access-token'));
  const answers = execFileSync('sh', ['-ec', script], { encoding: 'utf8' }).trim().split('\n');
  expect(answers).toHaveLength((script.match(/^ask [A-Z]+ /gm) ?? []).length);
  for (const answer of answers) {
    const json = JSON.parse(answer);
    // A creation or change without warnings, or a list that found the one it asked for.
    if (json.data) expect(json.data, answer).toHaveLength(1);
    else
      expect(json, answer).toMatchObject({
        Success: true,
        Message: expect.stringMatching(/ (?:created|stored)\.$/),
      });
  }
});
