// N nodes on one PostgreSQL of the test's own, each a real process with its own data folder and NODE_ID, and phones around them.
// On loopback by default; `separate` puts each node into its own network namespace behind a bridge (root).
//
//   const cluster = await Cluster.open({ nodes: 3, agents: { '1001': {} }, … });
//   const [a, b] = cluster.nodes;
//   a.kill(); b.freeze(); b.thaw(); await b.drain(); await cluster.restart(0);
//   await cluster.database.stop(); await cluster.database.start();
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill, PASSWORD, type PbxOptions, sipAddress } from '../../support/pbx.ts';
import { Phone } from '../../support/phone/phone.ts';
import type { PhoneOptions } from '../../support/phone/phone-options.ts';
import { call, type Json, type Reply, type Service, startService } from '../../support/service.ts';
import { TestDatabase } from './database.ts';
import { Edge, type EdgeOptions } from './edge.ts';
import { NodeNetwork } from './network.ts';

export interface ClusterOptions extends PbxOptions {
  readonly nodes?: number;
  /** Settings of one node, over those of all. */
  readonly envOf?: (index: number) => Readonly<Record<string, string>>;
  /** Each node in a network namespace of its own. */
  readonly separate?: boolean;
  /** Kamailio in front of the nodes, at the tests' address; on loopback at 127.0.0.5. */
  readonly edge?: Omit<EdgeOptions, 'host'>;
  /** The first node that starts makes the account, and nothing else is in it. */
  readonly isEmpty?: boolean;
  /** Settings of PostgreSQL, such as max_connections. */
  readonly postgres?: Readonly<Record<string, string>>;
  /** The folder whose dist/ the node with that index runs, such as a former version's; undefined is this clone. */
  readonly programOf?: (index: number) => string | undefined;
}

export interface ClusterNode extends Service {
  readonly index: number;
  /** NODE_ID. */
  readonly id: string;
  readonly sip: { readonly host: string; readonly port: number };
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** SIGTERM; resolves with the exit code. */
  drain(): Promise<number | null>;
  api(method: string, path: string, body?: unknown): Promise<Reply>;
}

/** The same on every node: it seals passwords and signs what nodes ask each other. */
export const SECRET_KEY = 'aa'.repeat(32);

export class Cluster {
  readonly database: TestDatabase;
  readonly network: NodeNetwork | null;
  readonly nodes: ClusterNode[] = [];
  readonly phones: Phone[] = [];
  #edge: Edge | null = null;
  readonly #options: ClusterOptions;
  readonly #folder: string;
  #nextCaller = 1;

  static async open(options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(await TestDatabase.open(options.postgres), options);
    try {
      const count = options.nodes ?? 2;
      if (!options.isEmpty) await cluster.#fill(count);
      await Promise.all(Array.from({ length: count }, (_, index) => cluster.restart(index)));
      if (options.edge) {
        const nodes = cluster.nodes.map(({ sip }) => sip);
        cluster.#edge = await Edge.open(nodes, { host: cluster.#edgeHost, ...options.edge });
      }
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  private constructor(database: TestDatabase, options: ClusterOptions) {
    this.database = database;
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'dialtree-nodes-'));
    this.network = options.separate ? new NodeNetwork() : null;
  }

  /** Starts the node with that index on its data folder: a new one, or one that ended. */
  async restart(index: number, env: Readonly<Record<string, string>> = {}): Promise<ClusterNode> {
    const { network, database } = this;
    const host = network?.address(index) ?? '127.0.0.1';
    const id = `node-${index + 1}`;
    const options = {
      dataDir: this.dataDir(index),
      under: [...(network?.join(index) ?? []), ...(this.#options.under ?? [])],
      env: {
        DATABASE_URL: network ? database.urlAt(network.here) : database.url,
        SECRET_KEY,
        NODE_ID: id,
        HOST: host,
        SIP: 'on',
        SIP_HOST: host,
        SIP_PORT: '0',
        ...(this.#options.edge ? { SIP_EDGES: this.#edgeHost } : {}),
        ...this.#options.env,
        ...this.#options.envOf?.(index),
        ...env,
      },
    };
    mkdirSync(options.dataDir, { recursive: true });
    const program = this.#options.programOf?.(index);
    const service = await startService({ ...options, ...(program ? { program } : {}) });
    const node = nodeOver(service, index, id);
    this.nodes[index] = node;
    return node;
  }

  get edge(): Edge {
    if (!this.#edge) throw new Error('The cluster was opened without an edge.');
    return this.#edge;
  }

  get #edgeHost(): string {
    return this.network?.here ?? '127.0.0.5';
  }

  dataDir(index: number): string {
    return join(this.#folder, String(index));
  }

  node(index: number): ClusterNode {
    const node = this.nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** An unregistered phone at that node, with a number of its own. */
  async phone(at: ClusterNode | number, options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const { sip } = typeof at === 'number' ? this.node(at) : at;
    const user = `555${String(this.#nextCaller++).padStart(4, '0')}`;
    const host = this.network ? { host: this.network.here } : {};
    const phone = await Phone.open({ user, server: sip, ...host, ...options });
    this.phones.push(phone);
    return phone;
  }

  /** An agent's phone, registered at that node. */
  async agent(
    at: ClusterNode | number,
    intercom: string,
    options: Partial<PhoneOptions> = {},
  ): Promise<Phone> {
    const phone = await this.phone(at, { user: intercom, password: PASSWORD, ...options });
    const status = await phone.register();
    if (status !== 200) throw new Error(`${intercom} could not register: ${status}\n${phone.ladder()}`);
    return phone;
  }

  /** Every call record, newest first, as a node reads it. */
  async records(at: ClusterNode | number = 0): Promise<Json[]> {
    const node = typeof at === 'number' ? this.node(at) : at;
    const found: Json[] = [];
    for (let path = '/v1/call/records?limit=100'; ; ) {
      const { json } = await node.api('GET', path);
      found.push(...json.data);
      if (!json.next_cursor) return found;
      path = `/v1/call/records?limit=100&cursor=${encodeURIComponent(json.next_cursor)}`;
    }
  }

  /** Ends everything that was started, whatever its state. */
  async close(): Promise<void> {
    for (const phone of this.phones) phone.close();
    await this.#edge?.close();
    for (const node of this.nodes) node?.thaw();
    await Promise.all(this.nodes.map((node) => node?.kill()));
    await this.database.remove();
    this.network?.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Recordings of the options are in every data folder, as if they had been uploaded at each node. */
  async #fill(count: number): Promise<void> {
    const first = this.dataDir(0);
    mkdirSync(first, { recursive: true });
    await fill(first, { ...this.#options, env: { ...this.#options.env, DATABASE_URL: this.database.url } });
    const from = join(first, 'recordings');
    for (let index = 1; index < count; index++) {
      if (existsSync(from)) cpSync(from, join(this.dataDir(index), 'recordings'), { recursive: true });
    }
  }
}

function nodeOver(service: Service, index: number, id: string): ClusterNode {
  const signal = (name: NodeJS.Signals): void => {
    const { exitCode, signalCode } = service.process;
    if (exitCode === null && signalCode === null) service.process.kill(name);
  };
  return {
    ...service,
    index,
    id,
    sip: sipAddress(service),
    kill: async () => void (await service.stop('SIGKILL')),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    drain: () => service.stop('SIGTERM'),
    api: (method, path, body) => call(service.url, method, path, body === undefined ? {} : { body }),
  };
}
