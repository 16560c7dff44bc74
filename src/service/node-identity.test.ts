import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nodeIdentity, nodeUrl } from './node-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(folder, String(folders++));

it('a node without NODE_ID has the same id at each start, and a run of its own', () => {
  const dataDir = newFolder();
  const first = nodeIdentity({ nodeId: undefined, dataDir });
  const second = nodeIdentity({ nodeId: undefined, dataDir });
  expect(first.id).toMatch(/^node-[0-9a-f]{12}$/);
  expect(second.id).toBe(first.id);
  expect(second.run).not.toBe(first.run);
  expect(readFileSync(join(dataDir, 'node-id'), 'utf8')).toBe(`${first.id}\n`);
});

it('NODE_ID wins, and a damaged file is refused', () => {
  const dataDir = newFolder();
  nodeIdentity({ nodeId: undefined, dataDir });
  writeFileSync(join(dataDir, 'node-id'), 'not an id\n');
  expect(nodeIdentity({ nodeId: 'east-1', dataDir }).id).toBe('east-1');
  expect(() => nodeIdentity({ nodeId: undefined, dataDir })).toThrow('node-id is damaged');
});

it('its address is NODE_URL, or HOST with the port in use', () => {
  expect(nodeUrl({ nodeUrl: 'http://10.0.0.5:8080/', host: '0.0.0.0' }, 1)).toBe('http://10.0.0.5:8080');
  expect(nodeUrl({ nodeUrl: undefined, host: '127.0.0.1' }, 8081)).toBe('http://127.0.0.1:8081');
  expect(nodeUrl({ nodeUrl: undefined, host: '2001:db8::1' }, 80)).toBe('http://[2001:db8::1]:80');
  expect(nodeUrl({ nodeUrl: undefined, host: '0.0.0.0' }, 80)).not.toContain('0.0.0.0');
});
