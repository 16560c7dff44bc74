// One connection to an SMSC: bound as a transceiver, kept alive, closed at the first PDU that is malformed. It knows nothing
// of messages; smpp-gateway.ts makes a new one when it ends.
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../kit/clock.ts';
import { bindBody, COMMANDS, type Pdu, PduReader, writePdu } from './pdu.ts';

export interface SmppAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
}

export interface SmppSessionParts {
  readonly address: SmppAddress;
  readonly clock: Clock;
  /** True: it is stored, and the SMSC may forget it. */
  readonly delivered: (body: Buffer) => Promise<boolean>;
  /** Once; `why` is for the log. */
  readonly ended: (why: string) => void;
}

const CONNECT_MS = 10_000;
const RESPONSE_MS = 10_000;
const ENQUIRE_MS = 30_000;
/** deliver_sm that wait for the database; beyond it the SMSC gets ESME_RX_T_APPN. */
const MAX_DELIVERING = 100;
const UNBIND_MS = 1000;
/** SMPP 3.4 §5.1.3 */
const SYSTEM_ERROR = 0x08;
const TRY_LATER = 0x64;
const UNKNOWN_COMMAND = 0x03;
const MAX_SEQUENCE = 0x7fffffff;
const IS_RESPONSE = 0x80000000;

interface PendingRequest {
  readonly resolve: (pdu: Pdu | null) => void;
  readonly cancel: () => void;
}

export class SmppSession {
  readonly #parts: SmppSessionParts;
  readonly #socket: Socket;
  readonly #reader = new PduReader();
  /** By sequence number; bounded by the window of smpp-gateway.ts. */
  readonly #pending = new Map<number, PendingRequest>();
  #sequence = 0;
  #delivering = 0;
  #over = false;
  #stopTimer: () => void;

  constructor(parts: SmppSessionParts) {
    const { address, clock } = parts;
    this.#parts = parts;
    const { host, port, tls } = address;
    this.#socket = tls
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connectTcp({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#socket.on('error', (error) => this.end(error.message));
    this.#socket.on('close', () => this.end('the connection was closed'));
    this.#stopTimer = clock.after(CONNECT_MS, () => this.end('there was no answer in time'));
  }

  /** Null if bound; otherwise why not. */
  async bind(): Promise<string | null> {
    const { systemId, password, systemType, tls } = this.#parts.address;
    const connected = await new Promise<boolean>((resolve) => {
      this.#socket.once(tls ? 'secureConnect' : 'connect', () => resolve(true));
      this.#socket.once('close', () => resolve(false));
    });
    if (!connected) return 'it cannot be reached';
    const answer = await this.request(COMMANDS.bind_transceiver, bindBody(systemId, password, systemType));
    this.#stopTimer();
    if (answer?.status !== 0) {
      const why = answer ? `it refused us (0x${answer.status.toString(16)})` : 'it did not answer';
      this.end(why);
      return why;
    }
    this.#enquireLater();
    return null;
  }

  /** Null if there is no answer, so it may have been done or not. */
  request(command: number, body?: Buffer): Promise<Pdu | null> {
    if (this.#over) return Promise.resolve(null);
    this.#sequence = this.#sequence >= MAX_SEQUENCE ? 1 : this.#sequence + 1;
    const sequence = this.#sequence;
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(RESPONSE_MS, () => this.#answer(sequence, null));
      this.#pending.set(sequence, { resolve, cancel });
      this.#socket.write(writePdu(command, 0, sequence, body));
    });
  }

  async close(): Promise<void> {
    if (this.#over) return;
    const { clock } = this.#parts;
    let cancel = (): void => undefined;
    const late = new Promise<null>((resolve) => {
      cancel = clock.after(UNBIND_MS, () => resolve(null));
    });
    await Promise.race([this.request(COMMANDS.unbind), late]);
    cancel();
    this.end('we closed it');
  }

  end(why: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopTimer();
    this.#socket.destroy();
    for (const sequence of [...this.#pending.keys()]) this.#answer(sequence, null);
    this.#parts.ended(why);
  }

  #answer(sequence: number, pdu: Pdu | null): void {
    const pending = this.#pending.get(sequence);
    if (!pending) return;
    this.#pending.delete(sequence);
    pending.cancel();
    pending.resolve(pdu);
  }

  #read(bytes: Buffer): void {
    for (const pdu of this.#reader.push(bytes)) this.#take(pdu);
    if (this.#reader.fault !== null) this.end(`it sent ${this.#reader.fault}`);
  }

  #take(pdu: Pdu): void {
    if (this.#over) return;
    const { command, sequence } = pdu;
    if (command >= IS_RESPONSE) {
      this.#answer(sequence, pdu);
      return;
    }
    switch (command) {
      case COMMANDS.enquire_link:
        this.#socket.write(writePdu(COMMANDS.enquire_link_resp, 0, sequence));
        return;
      case COMMANDS.deliver_sm:
        void this.#deliver(pdu);
        return;
      case COMMANDS.unbind:
        this.#socket.write(writePdu(COMMANDS.unbind_resp, 0, sequence));
        this.end('it sent unbind');
        return;
      default:
        this.#socket.write(writePdu(COMMANDS.generic_nack, UNKNOWN_COMMAND, sequence));
    }
  }

  async #deliver({ body, sequence }: Pdu): Promise<void> {
    let status = TRY_LATER;
    if (this.#delivering < MAX_DELIVERING) {
      this.#delivering += 1;
      try {
        status = (await this.#parts.delivered(body)) ? 0 : TRY_LATER;
      } catch {
        status = SYSTEM_ERROR;
      }
      this.#delivering -= 1;
    }
    // SMPP 3.4 §4.6.2: an empty message_id.
    if (!this.#over)
      this.#socket.write(writePdu(COMMANDS.deliver_sm_resp, status, sequence, Buffer.alloc(1)));
  }

  #enquireLater(): void {
    this.#stopTimer = this.#parts.clock.after(ENQUIRE_MS, () => {
      void this.request(COMMANDS.enquire_link).then((answer) => {
        if (this.#over) return;
        if (answer) this.#enquireLater();
        else this.end('it does not answer any more');
      });
    });
  }
}
