// What deploy/ and the Dockerfile promise, as far as no container engine is needed; .ci/image builds and runs the image.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../src/config/variables.ts';
import { type ComposeFile, type ComposeService, readCompose, yamlMissing } from './support/compose-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('ends with a user of its own, a volume, a stop signal and a health check, and adds nothing from elsewhere', () => {
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER 10001:10001']);
    expect(last).toContain('VOLUME ["/data"]');
    expect(last).toContain('STOPSIGNAL SIGTERM');
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    // Root's steps come before.
    expect(last.findLastIndex((line) => /^(?:RUN|COPY) /.test(line))).toBeLessThan(
      last.indexOf('USER 10001:10001'),
    );
    expect(lines.filter((line) => /^ADD |:latest|curl|sudo|apt-get/.test(line))).toEqual([]);
  });

  it('builds both stages from one long-term version of Node with a tag', () => {
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^docker\.io\/library\/node:(?:22|24)-bookworm-slim$/);
  });

  it('gets every file that the package has, and no data, history or packages of this machine', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const built = ['dist'];
    expect(files.filter((file) => !built.includes(file) && !allowed.includes(file))).toEqual([]);
    expect(allowed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(allowed.filter((path) => /^(?:node_modules|data|\.git|test)$/.test(path))).toEqual([]);
    expect(read('.dockerignore').split('\n')).toContain('*');
  });

  it('sets only variables that the service knows', () => {
    const [, block = ''] = /^ENV ([\s\S]*?[^\\])\n[A-Z]/m.exec(last.join('\n')) ?? [];
    const names = [...block.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => name !== 'NODE_ENV' && !(String(name) in VARIABLES))).toEqual([]);
  });
});

describe.skipIf(yamlMissing())('the compose files', () => {
  const nodesOf = ({ services }: ComposeFile) =>
    Object.entries(services).filter(([, { image }]) => image === 'dialtree');

  it.each(['deploy/compose.yml', 'deploy/compose.cluster.yml'])(
    '%s: hardened nodes with known settings',
    (path) => {
      const file = readCompose(path);
      const nodes = nodesOf(file);
      expect(nodes.length).toBeGreaterThan(0);
      for (const [name, node] of nodes) {
        expect(node, name).toMatchObject({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          restart: 'always',
          stop_grace_period: '60s',
        });
        // A volume with a name gets its owner from the folder of the image, else it belongs to root.
        const shared = (node.volumes ?? []).flatMap((volume) => volume.split(':').slice(1, 2));
        const [, owned = ''] = /mkdir -m 0700 (.*?) && chown/.exec(read('Dockerfile')) ?? [];
        expect(shared.filter((place) => !owned.split(' ').includes(place))).toEqual([]);
        const environment = Object.keys(node.environment ?? {});
        expect(environment.filter((variable) => !(variable in VARIABLES))).toEqual([]);
        expect((node.volumes ?? []).some((volume) => volume.split(':').at(-1)?.startsWith('/data'))).toBe(
          true,
        );
      }
      for (const [name, { image, volumes = [], networks = {} }] of Object.entries(file.services)) {
        expect(image, name).not.toMatch(/:latest$/);
        for (const [from = ''] of volumes
          .map((volume) => volume.split(':'))
          .filter((parts) => parts.length > 1)) {
          if (from.startsWith('.')) expect(existsSync(join(root, dirname(path), from)), from).toBe(true);
          else expect(Object.keys(file.volumes ?? {}), name).toContain(from);
        }
        for (const network of Object.keys(networks))
          expect(Object.keys(file.networks ?? {})).toContain(network);
      }
    },
  );

  it('the three nodes are those that Kamailio spreads calls to, and they know it', () => {
    const file = readCompose('deploy/compose.cluster.yml');
    const addressOf = ({ networks }: ComposeService) => networks?.['nodes']?.ipv4_address ?? '';
    const nodes = nodesOf(file).map(([, node]) => node);
    const edge = addressOf(file.services['kamailio'] as ComposeService);
    const listed = [...read('deploy/compose/dispatcher.list').matchAll(/^1 sip:([\d.]+):5060 /gm)].map(
      ([, at]) => at,
    );
    expect(nodes.map(addressOf)).toEqual(listed);
    expect(new Set(nodes.map(({ environment }) => environment?.['NODE_ID'])).size).toBe(3);
    for (const node of nodes) {
      expect(node.volumes).toContain(`sound:${node.environment?.['SOUND_STORE']}`);
      expect(node.environment?.['SIP_EDGES']).toBe(edge);
      expect(node.environment?.['NODE_URL']).toBe(`http://${addressOf(node)}:8080`);
      expect(node.environment?.['DATABASE_URL']).toContain(
        `@${addressOf(file.services['postgres'] as ComposeService)}:5432/`,
      );
    }
    expect(read('deploy/compose/edge.cfg').match(/^listen=\w+:([\d.]+):5060$/gm)).toEqual([
      `listen=udp:${edge}:5060`,
      `listen=tcp:${edge}:5060`,
    ]);
  });

  it('docs/docker.md names files that exist', () => {
    const named = [...read('docs/docker.md').matchAll(/deploy\/[\w.]+\.yml/g)].map(([path]) => path);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
