// dialtree mcp: the Model Context Protocol on standard input and output, for assistants on this machine. It asks the running service.
import { type Client, DialtreeError } from '../../client/client.ts';
import type { Ask } from '../mcp/ask.ts';
import { type Command, parseWords, UsageError } from './command.ts';
import { REMOTE_OPTIONS, withService } from './remote.ts';

const { json: _, ...OPTIONS } = REMOTE_OPTIONS;

/** As large as a body of the API, and its frame. */
const MAX_MESSAGE = 512 * 1024;

export const mcp: Command = {
  usage: [['mcp', 'let an assistant read the account and draft changes, by the Model Context Protocol']],
  details: [
    'Speaks MCP on standard input and output: an assistant starts it. docs/assistants.md has the settings of common ones.',
    'Give it a token of its own, which reads and drafts: "dialtree help token" says how one for an assistant is made.',
  ],
  options: OPTIONS,
  examples: ['mcp', 'mcp --url https://phones.example.com'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0)
      throw new UsageError('"dialtree mcp" takes no words: an assistant speaks to it.');
    return withService(config, values, async (dialtree) => {
      // Loaded here: the help text names this command, too.
      const [{ StdioServerTransport }, { makeMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('../mcp/server.ts'),
      ]);
      const transport = new StdioServerTransport(process.stdin, process.stdout, {
        maxBufferSize: MAX_MESSAGE,
      });
      const server = makeMcpServer(askingOf(dialtree));
      const ended = new Promise<void>((resolve) => {
        server.onclose = resolve;
        process.stdin.once('end', resolve);
      });
      await server.connect(transport);
      await ended;
      await server.close();
      return 0;
    });
  },
};

type AnyCall = (input: object) => Promise<unknown>;

function askingOf(dialtree: Client<'minimal'>): Ask {
  return async (operation, input = {}) => {
    try {
      const call = dialtree[operation as keyof Client] as AnyCall;
      return { ok: true, value: await call(input) };
    } catch (error) {
      if (error instanceof DialtreeError) return { ok: false, value: failureOf(error) };
      if (error instanceof TypeError) return { ok: false, value: UNREACHABLE };
      throw error;
    }
  };
}

const UNREACHABLE = {
  Success: false,
  Message: 'The service does not answer: is it running?',
  Code: 'unreachable',
};

const failureOf = ({ message, code, errors, requestId }: DialtreeError): object => ({
  Success: false,
  Message: message,
  Code: code,
  Errors: errors,
  RequestId: requestId,
});
