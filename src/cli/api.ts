// dialtree api: any operation of the API, by its name.
import { readFileSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { OPERATIONS } from '../../client/operations.ts';
import { type Command, CommandError, parseWords, table, UnknownWordError, UsageError } from './command.ts';
import { print } from './io.ts';
import { pour, REMOTE_DETAILS, REMOTE_OPTIONS, withService } from './remote.ts';

const OPTIONS = { ...REMOTE_OPTIONS, body: { type: 'string' }, key: { type: 'string' } } as const;

type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];
type AnyCall = (input: object) => Promise<unknown>;

export const api: Command = {
  usage: [
    ['api', 'list the operations of the API'],
    ['api <operation> [name=text] [name:=json] [--body <file|->]', 'ask the running service anything'],
  ],
  details: [
    'Names that the path has go there; the others are query parameters of a GET or DELETE, and else members of the body.',
    ...REMOTE_DETAILS,
    '--key <text>      Idempotency-Key.',
  ],
  options: OPTIONS,
  firstWords: Object.keys(OPERATIONS),
  examples: [
    'api getAgent eid=100001',
    `api createDepartment name=Billing agents:='["100001"]'`,
    'api createIvr --body menu.json',
  ],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [name, ...members] = positionals;
    if (name === undefined) {
      const rows = Object.entries(OPERATIONS).map(([id, { method, path }]) => [id, method, path]);
      print(`${table(rows)}\n`);
      return 0;
    }
    const operation = Object.hasOwn(OPERATIONS, name)
      ? (OPERATIONS as Readonly<Record<string, Operation>>)[name]
      : undefined;
    if (!operation) throw unknownOperation(name);
    const input = inputOf(operation, members, values.body);
    return withService(config, values, async (dialtree: Client<'minimal'>) => {
      const ask = dialtree[name as keyof Client] as AnyCall;
      const answer = await ask({
        ...input,
        ...(values.key === undefined ? {} : { idempotencyKey: values.key }),
        // The record, with its id, where the operation makes or changes one.
        headers: { prefer: 'return=representation' },
      });
      await printAnswer(answer);
      return 0;
    });
  },
};

function unknownOperation(name: string): UnknownWordError {
  const names = Object.keys(OPERATIONS);
  // The list is long: "dialtree api" prints it.
  const message = `There is no operation "${name}"; "dialtree api" lists the ${names.length} there are.`;
  return new UnknownWordError(message, name, names);
}

function inputOf({ method, path }: Operation, members: readonly string[], file: string | undefined): object {
  const params: Record<string, string> = {};
  const rest: Record<string, unknown> = file === undefined ? {} : readBody(file);
  for (const member of members) {
    const { name, value } = readMember(member);
    if (path.includes(`{${name}}`)) params[name] = String(value);
    else rest[name] = value;
  }
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in params));
  if (missing.length > 0) throw new UsageError(`Say ${missing.map((name) => `${name}=…`).join(' ')}.`);
  const sent = Object.keys(rest).length > 0 || file !== undefined;
  const inQuery = method === 'GET' || method === 'DELETE';
  return { params, ...(sent ? { [inQuery ? 'query' : 'body']: rest } : {}) };
}

/** `name=text` or `name:=json`. */
export function readMember(text: string): { name: string; value: unknown } {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`"${text}" is no name=text and no name:=json.`);
  if (text[equals - 1] !== ':') return { name: text.slice(0, equals), value: text.slice(equals + 1) };
  return { name: text.slice(0, equals - 1), value: parse(text.slice(equals + 1), text) };
}

function readBody(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return parse(text, file) as Record<string, unknown>;
}

function parse(json: string, where: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CommandError(`${where} is not JSON: ${(error as Error).message}`);
  }
}

/** What is no JSON, such as audio or an export, goes to standard output as it comes. */
async function printAnswer(answer: unknown): Promise<void> {
  if (answer instanceof Response) return pour(answer);
  print(typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`);
}
