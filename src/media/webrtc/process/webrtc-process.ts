// Browser legs in a process of their own, as the service sees it. The process is started with the first leg.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Certificate, makeCertificate } from '../certificate.ts';
import { isLoopback } from '../local-addresses.ts';
import type {
  IceAgreement,
  Webrtc,
  WebrtcConfig,
  WebrtcEvents,
  WebrtcIdentity,
  WebrtcTransport,
} from '../webrtc.ts';
import type { FromProcess, PeerState, ToProcess } from './messages.ts';

/** An ICE restart takes the other one, so that the browser begins a new DTLS association (RFC 8842 §4). */
const CERTIFICATES = 2;
/** A page that reloads or changes its network has this long to come back with a re-INVITE. */
const CONNECT_MS = 15_000;
/** The library gives a connection up after 30 s without a check; of a call that rings it is made again, for ten minutes. */
const MOST_REPEATED = 20;
const END_MS = 2_000;
/** It begins with some 50 MB; native code gives memory back to the system reluctantly. */
const IDLE_MEMORY_BYTES = 256 * 1024 * 1024;
const MAX_ID = 2 ** 31;

export function openWebrtcProcess(config: WebrtcConfig, start = startProcess): WebrtcProcess {
  return new WebrtcProcess(config, start);
}

/** What is asked of a child process. */
export type BrowserProcess = Pick<ChildProcess, 'pid' | 'send' | 'on' | 'once' | 'kill' | 'disconnect'>;

function startProcess(): BrowserProcess {
  const file = import.meta.url.endsWith('.ts') ? '../../../../dist/webrtc-process.js' : './webrtc-process.js';
  return fork(fileURLToPath(new URL(file, import.meta.url)), [], { execArgv: ['--expose-gc'], env: {} });
}

export class WebrtcProcess implements Webrtc {
  readonly identity: WebrtcIdentity;
  readonly #config: WebrtcConfig;
  readonly #fork: () => BrowserProcess;
  readonly #certificates: readonly Certificate[];
  readonly #transports = new Set<Transport>();
  /** By the id of a connection; a transport has two of them during an ICE restart. */
  readonly #connections = new Map<number, Transport>();
  #process: BrowserProcess | null = null;
  /** The process is being ended for its memory: the next one has its port when it is gone. What it will be sent; null: it is not. */
  #waiting: ToProcess[] | null = null;
  #bridgePort = 0;
  #nextId = 1;
  #isClosing = false;

  constructor(config: WebrtcConfig, start: () => BrowserProcess) {
    this.#config = config;
    this.#fork = start;
    this.#certificates = Array.from({ length: CERTIFICATES }, () => makeCertificate(Date.now()));
    this.identity = {
      port: config.port,
      addresses: config.addresses ?? [],
      fingerprints: this.#certificates.map(({ fingerprint }) => fingerprint),
    };
  }

  get openTransports(): number {
    return this.#transports.size;
  }

  get isPortTaken(): boolean {
    return this.#process === null && this.#config.held?.isTaken === true;
  }

  open(streamPort: number, events: WebrtcEvents): WebrtcTransport {
    const transport = new Transport(this, streamPort, events, this.#config.connectMs ?? CONNECT_MS);
    this.#transports.add(transport);
    return transport;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#config.held?.release();
    const child = this.#process;
    if (!child) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      child.disconnect();
    });
  }

  /** For the test that a dead process is replaced. */
  get processId(): number | undefined {
    return this.#process?.pid;
  }

  connect(transport: Transport, streamPort: number, ice: IceAgreement): number {
    const id = this.#nextId;
    this.#nextId = (id % MAX_ID) + 1;
    this.#connections.set(id, transport);
    if (this.isPortTaken) {
      void this.#config.held?.takeBack();
      setImmediate(() => transport.lose(`Another program has taken WEBRTC_PORT ${this.identity.port}.`));
      return id;
    }
    this.#send(['connect', id, streamPort, ice]);
    return id;
  }

  disconnect(id: number): void {
    if (this.#connections.delete(id)) this.#send(['close', id]);
  }

  forget(transport: Transport): void {
    this.#transports.delete(transport);
  }

  get bridge(): { readonly address: string; readonly port: number } {
    return { address: bridgeAddress(this.#config.host), port: this.#bridgePort };
  }

  #send(message: ToProcess): void {
    if (this.#isClosing) return;
    if (this.#waiting !== null) {
      this.#waiting.push(message);
      return;
    }
    this.#process ??= this.#start();
    this.#process.send(message, (error) => {
      if (error && !this.#isClosing) this.#config.onFailure?.(error.message);
    });
  }

  #start(): BrowserProcess {
    this.#config.held?.release();
    const child = this.#fork();
    const { host, port, addresses = [] } = this.#config;
    const certificates = this.#certificates.map(({ certificatePem, keyPem }) => ({ certificatePem, keyPem }));
    child.on('message', (message: FromProcess) => this.#take(message));
    child.on('error', () => undefined);
    child.on('exit', (code, signal) => this.#exited(child, signal ?? `exit code ${code ?? 0}`));
    child.send([
      'start',
      {
        ...{ host, port, bridgeAddress: bridgeAddress(host), certificates },
        relayed: isLoopback(host) ? addresses.filter((each) => each !== host) : [],
      },
    ] satisfies ToProcess);
    return child;
  }

  #take(message: FromProcess): void {
    if (message[0] === 'started') {
      this.#bridgePort = message[1];
      return;
    }
    if (message[0] === 'idle') {
      this.#replaceAbove(message[1]);
      return;
    }
    const transport = this.#connections.get(message[1]);
    if (message[0] === 'state') transport?.changed(message[1], message[2]);
    else transport?.lose(`WebRTC refused the browser's description: ${message[2]}`);
  }

  #replaceAbove(residentBytes: number): void {
    const limit = this.#config.idleMemoryBytes ?? IDLE_MEMORY_BYTES;
    if (residentBytes <= limit || this.#connections.size > 0 || this.#isClosing) return;
    this.#waiting ??= [];
    this.#process?.kill('SIGKILL');
  }

  #exited(child: BrowserProcess, reason: string): void {
    if (this.#process === child) this.#process = null;
    if (this.#isClosing) return;
    void this.#config.held?.takeBack();
    if (this.#waiting !== null) {
      const messages = this.#waiting;
      this.#waiting = null;
      for (const message of messages) this.#send(message);
      return;
    }
    this.#config.onFailure?.(reason);
    this.#connections.clear();
    for (const transport of [...this.#transports]) transport.lose('The process of browser legs ended.');
  }
}

class Transport implements WebrtcTransport {
  readonly #owner: WebrtcProcess;
  readonly #streamPort: number;
  readonly #events: WebrtcEvents;
  readonly #connectMs: number;
  #ice: IceAgreement | null = null;
  /** How often the connection that is being made was given up by the library. */
  #repeated = 0;
  /** The connection that packets go by, and the one that is being made. */
  #current: number | null = null;
  #next: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(owner: WebrtcProcess, streamPort: number, events: WebrtcEvents, connectMs: number) {
    this.#owner = owner;
    this.#streamPort = streamPort;
    this.#events = events;
    this.#connectMs = connectMs;
  }

  connect(ice: IceAgreement, isEarly = false): void {
    if (this.#isOver) return;
    if (ice.own.ufrag !== this.#ice?.own.ufrag) {
      this.#repeated = 0;
      this.#make(ice);
      this.#stopWaiting();
    }
    if (this.#next !== null && this.#timer === null && !isEarly) this.#await('The browser did not connect.');
  }

  changed(id: number, state: PeerState): void {
    if (this.#isOver) return;
    if (state === 'connected') this.#connected(id);
    else if (id === this.#next) this.#repeat(state);
    // One that is replaced may end as it likes.
    else if (id === this.#current && this.#next === null) this.#await('The browser lost its connection.');
  }

  lose(reason: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#events.lost(reason);
  }

  close(): void {
    if (!this.#isOver) this.#end();
  }

  #make(ice: IceAgreement): void {
    this.#ice = ice;
    if (this.#next !== null) this.#owner.disconnect(this.#next);
    this.#next = this.#owner.connect(this, this.#streamPort, ice);
  }

  /** How long it may take is for the timer to say, and before an answer there is none. */
  #repeat(state: PeerState): void {
    if (state !== 'failed' || !this.#ice || this.#repeated >= MOST_REPEATED) return;
    this.#repeated += 1;
    this.#make(this.#ice);
  }

  #connected(id: number): void {
    if (id === this.#next) {
      if (this.#current !== null) this.#owner.disconnect(this.#current);
      this.#current = id;
      this.#next = null;
    }
    if (id !== this.#current) return;
    if (this.#next === null) this.#stopWaiting();
    const { address, port } = this.#owner.bridge;
    this.#events.connected(address, port);
  }

  #await(reason: string): void {
    this.#stopWaiting();
    this.#timer = setTimeout(() => this.lose(reason), this.#connectMs);
    this.#timer.unref();
  }

  #stopWaiting(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #end(): void {
    this.#isOver = true;
    this.#stopWaiting();
    for (const id of [this.#current, this.#next]) if (id !== null) this.#owner.disconnect(id);
    this.#owner.forget(this);
  }
}

/** As the media engine's own loopback: a wildcard of IPv6 takes IPv4 as well. */
function bridgeAddress(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
