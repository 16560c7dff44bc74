// An assistant as tests script it: the SDK's own client, over either transport.

import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../../support/service.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/dialtree.js', import.meta.url));

export const TRANSPORTS = ['stdio', 'http'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

export interface AssistantOptions {
  readonly url: string;
  readonly token: string;
  /** What the person answers to a question of the server; left out: the client cannot ask. */
  readonly person?: (question: string) => boolean;
}

export interface Told {
  readonly ok: boolean;
  readonly value: Json;
}

export class Assistant {
  readonly client: Client;
  readonly #transport: StdioClientTransport | StreamableHTTPClientTransport;

  constructor(transport: TransportName, { url, token, person }: AssistantOptions) {
    this.client = new Client(
      { name: 'scripted', version: '1' },
      { capabilities: person ? { elicitation: {} } : {} },
    );
    if (person)
      this.client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
        action: 'accept',
        content: { publish: person(params.message) },
      }));
    this.#transport =
      transport === 'http'
        ? new StreamableHTTPClientTransport(new URL('/mcp', url), {
            requestInit: { headers: { authorization: `Bearer ${token}` } },
          })
        : new StdioClientTransport({
            command: process.execPath,
            args: [PROGRAM, 'mcp'],
            env: { PATH: process.env['PATH'] ?? '', DIALTREE_URL: url, DIALTREE_TOKEN: token },
            stderr: 'ignore',
          });
  }

  async connect(): Promise<this> {
    await this.client.connect(this.#transport as Parameters<Client['connect']>[0]);
    return this;
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  async use(name: string, args: Record<string, unknown> = {}): Promise<Told> {
    const { content, isError } = await this.client.callTool({ name, arguments: args });
    const [first] = content as { type: string; text: string }[];
    return { ok: isError !== true, value: JSON.parse(first?.text ?? 'null') };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
