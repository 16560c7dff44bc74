// One message of streamable HTTP: JSON in, JSON out, no session and no stream that stays open.
import type { IncomingHttpHeaders } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Ask } from './ask.ts';
import { makeMcpServer } from './server.ts';

/** The transport reads these; the token is none of its business. */
const READ = ['accept', 'content-type', 'mcp-protocol-version'] as const;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function answerMessage(
  headers: IncomingHttpHeaders,
  message: unknown,
  ask: Ask,
): Promise<HttpAnswer> {
  const server = makeMcpServer(ask);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    // The cast holds: its optional members are declared without undefined.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    const sent = READ.flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
    );
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: sent });
    const answer = await transport.handleRequest(request, { parsedBody: message });
    const type = answer.headers.get('content-type');
    return {
      status: answer.status,
      headers: type === null ? {} : { 'content-type': type },
      body: await answer.text(),
    };
  } finally {
    await server.close();
  }
}
