// What a tool of the MCP server is, and how its arguments are read: by the fields that also validate and document the API.

import {
  type Field,
  type Fields,
  inputSchema,
  type JsonSchema,
  named,
  type RecordOf,
  readFields,
} from '../kinds/field.ts';
import { noteUnknown, shapeOf } from '../kinds/known-names.ts';
import { Faults, isProblem, type Problem } from '../kinds/problem.ts';
import type { Ask } from './ask.ts';

export interface ToolContext {
  readonly ask: Ask;
  /** Asks the person at the assistant; null: this client cannot, and publishes nothing. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

export interface ToolResult {
  readonly ok: boolean;
  /** Written as JSON, unless it is text. */
  readonly value: unknown;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Changes nothing, not even the draft. */
  readonly readOnly: boolean;
  /** Whether callers notice. */
  readonly goesLive: boolean;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

interface ToolRow<F extends Fields> {
  readonly description: string;
  readonly fields: F;
  readonly readOnly?: true;
  readonly goesLive?: true;
  readonly run: (args: RecordOf<F>, context: ToolContext) => Promise<ToolResult>;
}

export function tool<F extends Fields>(name: string, { fields, run, ...row }: ToolRow<F>): Tool {
  const schema = { ...inputSchema(fields), additionalProperties: false };
  return {
    name,
    description: row.description,
    inputSchema: schema,
    readOnly: row.readOnly ?? false,
    goesLive: row.goesLive ?? false,
    async run(args, context) {
      const read = readArguments(fields, inputSchema(fields), args);
      return isProblem(read) ? refused(read) : run(read, context);
    },
  };
}

function readArguments<F extends Fields>(
  fields: F,
  schema: JsonSchema,
  args: Readonly<Record<string, unknown>>,
): RecordOf<F> | Problem {
  const faults = new Faults();
  const shape = shapeOf(schema);
  if (shape) noteUnknown(shape, args, faults);
  const read = readFields(fields, args, faults);
  return faults.list.length > 0 ? faults.toProblem() : read;
}

/** As the API says it. */
function refused({ message, problem, faults = [] }: Problem): ToolResult {
  const Errors = faults.map(({ pointer, code, message: said }) => ({
    Pointer: pointer,
    Code: code,
    Message: said,
  }));
  return { ok: false, value: { Success: false, Message: message, Code: problem, Errors } };
}

/** An object whose members the API reads. */
export function members(description: string): Field<Readonly<Record<string, unknown>>> {
  const schema = { type: 'object', description, additionalProperties: true };
  return {
    input: schema,
    output: schema,
    read(value, at, faults) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Readonly<Record<string, unknown>>;
      faults.add(at, 'value_not_allowed', `${named(at)} must be an object.`);
      return undefined;
    },
  };
}
