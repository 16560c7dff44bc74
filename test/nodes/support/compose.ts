// The services of a compose file without a container engine: each in a network namespace with its address, with the environment, the user and
// the files that the compose file and the Dockerfile give it. PostgreSQL and Kamailio are this machine's, and Dialtree is this clone.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ComposeFile, type ComposeService, imageSettings } from '../../support/compose-file.ts';
import { postgresBinaries } from '../../support/postgres.ts';
import { sleep } from './report.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** USER of the image. */
const USER = 10001;
const LIMIT = 200_000;

interface Started {
  readonly child: ChildProcess;
  readonly gone: Promise<number | null>;
  readonly namespace: string;
  /** Settings of a node. */
  readonly env: Readonly<Record<string, string>>;
  said: string;
}

const ip = (...words: readonly string[]): string =>
  execFileSync('ip', words, { encoding: 'utf8', stdio: 'pipe' });

export class ComposeServices {
  readonly #file: ComposeFile;
  readonly #id = `dc${process.pid % 100_000}`;
  readonly #folder = mkdtempSync(join(tmpdir(), 'dialtree-compose-'));
  readonly #namespaces: string[] = [];
  readonly #started = new Map<string, Started>();

  /** `here`: the address of the tests in the network, with its length; null: every service is alone. */
  constructor(file: ComposeFile, here: string | null) {
    this.#file = file;
    // PostgreSQL and the nodes have users of their own.
    chmodSync(this.#folder, 0o755);
    if (here === null) return;
    ip('link', 'add', this.#id, 'type', 'bridge');
    ip('address', 'add', here, 'dev', this.#id);
    ip('link', 'set', this.#id, 'up');
  }

  addressOf(name: string): string | null {
    return Object.values(this.#service(name).networks ?? {})[0]?.ipv4_address ?? null;
  }

  said(name: string): string {
    return this.#started.get(name)?.said ?? '';
  }

  async startPostgres(name: string): Promise<void> {
    const { environment: env = {}, healthcheck } = this.#service(name);
    const { POSTGRES_USER: user = 'postgres', POSTGRES_PASSWORD: password = '' } = env;
    const [data, secret] = [join(this.#folder, name), join(this.#folder, 'password')];
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    const ids = { uid: id('-u'), gid: id('-g') };
    const as = { ...ids, cwd: '/', stdio: 'pipe' } as const;
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, password);
    for (const path of [data, secret]) chownSync(path, ids.uid, ids.gid);
    const bin = postgresBinaries() ?? '';
    const how = ['-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--no-sync'];
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', user, ...how], as);
    // As the image has it: this machine is trusted, others need the password.
    writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\nhost all all all scram-sha-256\n');
    const settings = ['listen_addresses=*', 'port=5432', `unix_socket_directories=${data}`, 'fsync=off'];
    const drop = ['setpriv', `--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups'];
    const words = [...drop, join(bin, 'postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])];
    this.#spawn(name, words, {});
    const [, ...check] = healthcheck?.test ?? [];
    await this.#until(name, () =>
      this.run(name, [join(bin, check[0] ?? ''), ...check.slice(1)], { PGHOST: data }),
    );
    this.run(name, [join(bin, 'createdb'), '-U', user, user], { PGHOST: data });
  }

  /** With its files at their places, in a mount namespace. */
  async startKamailio(name: string): Promise<void> {
    const { volumes = [], tmpfs = [] } = this.#service(name);
    const files = volumes.map((volume) => volume.split(':'));
    const steps = [
      ...['/etc/kamailio', ...tmpfs].map((place) => `mkdir -p ${place}; mount -t tmpfs tmpfs ${place}`),
      ...files.map(([from = '', to]) => `touch ${to}; mount --bind ${join(root, 'deploy', from)} ${to}`),
      'exec kamailio -DD -E -m 64 -M 8',
    ];
    this.#spawn(name, ['unshare', '-m', 'sh', '-ec', steps.join('\n')], {});
    await sleep(300);
  }

  async startNode(name: string): Promise<void> {
    const { environment = {}, volumes = [] } = this.#service(name);
    const { env: image, health } = imageSettings();
    const places = volumes.map((volume) => {
      const [from = '', to = from] = volume.split(':');
      // One folder for a volume with a name, one of its own for any other.
      const folder = join(
        this.#folder,
        to === from ? `${name}${from.replaceAll('/', '-')}` : `volume-${from}`,
      );
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, USER, USER);
      return [to, folder] as const;
    });
    const settings = Object.entries({ ...image, ...environment }).map(([variable, value]) => {
      const place = places.find(([to]) => to === value);
      return [variable, place?.[1] ?? value];
    });
    const env = { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(settings) };
    const drop = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
    const bare = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
    const program = [process.execPath, join(root, 'dist/dialtree.js')];
    this.#spawn(name, [...drop, ...bare, ...program, 'serve'], env);
    await this.#until(name, () => this.run(name, [process.execPath, ...health.slice(1)], env));
  }

  /** In the namespace of the service; throws when it fails. */
  run(name: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const { namespace, env: own } = this.#running(name);
    return execFileSync('ip', ['netns', 'exec', namespace, ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], ...own, ...env },
      timeout: 20_000,
    });
  }

  /** SIGTERM; resolves with the exit code. */
  async stop(name: string): Promise<number | null> {
    const { child, gone } = this.#running(name);
    child.kill('SIGTERM');
    return gone;
  }

  async close(): Promise<void> {
    for (const { child, gone } of [...this.#started.values()].toReversed()) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(late);
    }
    for (const name of this.#namespaces) ip('netns', 'delete', name);
    if (ip('-br', 'link').includes(`${this.#id} `)) ip('link', 'delete', this.#id);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #service(name: string): ComposeService {
    const service = this.#file.services[name];
    if (!service) throw new Error(`The compose file has no service ${name}.`);
    return service;
  }

  #running(name: string): Started {
    const started = this.#started.get(name);
    if (!started) throw new Error(`${name} was not started.`);
    return started;
  }

  #spawn(name: string, words: readonly string[], env: Readonly<Record<string, string>>): void {
    const namespace = this.#namespaceFor(name);
    const child = spawn('ip', ['netns', 'exec', namespace, ...words], {
      env: { PATH: process.env['PATH'], ...env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
    const started: Started = { child, gone, namespace, env, said: '' };
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (bytes) => {
        started.said = `${started.said}${bytes}`.slice(-LIMIT);
      });
    this.#started.set(name, started);
  }

  #namespaceFor(name: string): string {
    const namespace = `${this.#id}-${name}`;
    ip('netns', 'add', namespace);
    this.#namespaces.push(namespace);
    const address = this.addressOf(name);
    const inside = (...words: readonly string[]) => ip('netns', 'exec', namespace, 'ip', ...words);
    inside('link', 'set', 'lo', 'up');
    if (address === null) return namespace;
    const cable = `${this.#id}-${this.#namespaces.length}`;
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cable, 'master', this.#id, 'up');
    inside('address', 'add', `${address}/24`, 'dev', 'eth0');
    inside('link', 'set', 'eth0', 'up');
    return namespace;
  }

  async #until(name: string, holds: () => unknown, withinMs = 30_000): Promise<void> {
    for (const untilMs = performance.now() + withinMs; ; await sleep(100)) {
      try {
        holds();
        return;
      } catch (error) {
        const { exitCode } = this.#running(name).child;
        if (exitCode !== null || performance.now() > untilMs)
          throw new Error(`${name} is not healthy: ${this.said(name)}`, { cause: error });
      }
    }
  }
}
