// Lists the mutants of a source file: each is one small change to its text. The parser is Vite's own (oxc).
import { type ESTree, parseSync, Visitor } from 'vite';

export interface Mutant {
  readonly file: string;
  readonly lineNumber: number;
  /** The original line, trimmed. With file and change it names the mutant in equivalents.json. */
  readonly line: string;
  readonly change: string;
  /** The whole file after the change. */
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '|=': ['&='],
  '&=': ['|='],
  '??=': ['='],
  '||=': ['='],
  '&&=': ['='],
  '++': ['--'],
  '--': ['++'],
};

/** Strings that name something: a member of a union, a header, a kind. Prose is left alone. */
const NAME = /^[\w.:/-]+$/;

const LONGEST_LABEL = 100;

interface Span {
  readonly start: number;
  readonly end: number;
}

const isText = (node: ESTree.Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)));

export function listMutants(file: string, source: string): readonly Mutant[] {
  const found = new Map<string, Mutant>();
  // Literals that are types, imported paths or the names of properties.
  const names = new Set<number>();
  const add = ({ start, end }: Span, replacement: string) => {
    const text = source.slice(0, start) + replacement + source.slice(end);
    if (found.has(text)) return;
    const before = source.slice(0, start).split('\n');
    const lineEnd = source.indexOf('\n', start);
    const line = source.slice(start - (before.at(-1)?.length ?? 0), lineEnd < 0 ? undefined : lineEnd).trim();
    const change = `${label(source.slice(start, end))} → ${label(replacement)}`;
    found.set(text, { file, lineNumber: before.length, line, change, text });
  };
  const turn = (left: Span, operator: string, right: Span) => {
    const at = source.indexOf(operator, left.end);
    const changed = OPERATORS[operator] ?? [];
    for (const other of changed)
      add(
        { start: left.start, end: right.end },
        source.slice(left.start, at) + other + source.slice(at + operator.length, right.end),
      );
  };
  const force = (test: Span | null, ...values: string[]) => {
    for (const value of values) if (test) add(test, value);
  };
  const remove = (statement: Span) => add(statement, ';');

  new Visitor({
    TSLiteralType: ({ literal }) => void names.add(literal.start),
    ImportDeclaration: ({ source: path }) => void names.add(path.start),
    ExportNamedDeclaration: ({ source: path }) => void (path && names.add(path.start)),
    Property: ({ key }) => void names.add(key.start),
    BinaryExpression: (node) => {
      if (node.operator !== '+' || !isText(node)) turn(node.left, node.operator, node.right);
    },
    LogicalExpression: (node) => turn(node.left, node.operator, node.right),
    AssignmentExpression: (node) => {
      if (node.operator !== '+=' || !isText(node.right)) turn(node.left, node.operator, node.right);
    },
    UpdateExpression: (node) => {
      const { start, end } = node.argument;
      const other = OPERATORS[node.operator]?.join() ?? '';
      add(node, node.prefix ? other + source.slice(start, end) : source.slice(start, end) + other);
    },
    UnaryExpression: (node) => {
      if (node.operator === '!' || node.operator === '-')
        add(node, source.slice(node.argument.start, node.argument.end));
    },
    Literal: (node) => {
      if (names.has(node.start)) return;
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      else if (typeof node.value === 'number') force(node, String(node.value + 1), String(node.value - 1));
      else if (node.value === '') add(node, `'mutant'`);
      else if (typeof node.value === 'string' && NAME.test(node.value)) add(node, `''`);
    },
    IfStatement: (node) => force(node.test, 'true', 'false'),
    ConditionalExpression: (node) => force(node.test, 'true', 'false'),
    WhileStatement: (node) => force(node.test, 'false'),
    ForStatement: (node) => force(node.test, 'false'),
    ForOfStatement: (node) => remove(node),
    ExpressionStatement: remove,
    ThrowStatement: remove,
    BreakStatement: remove,
    ContinueStatement: remove,
    ReturnStatement: (node) => {
      const { argument } = node;
      if (!argument) return remove(node);
      const falsy =
        (argument.type === 'Identifier' && argument.name === 'undefined') ||
        (argument.type === 'Literal' && typeof argument.value === 'boolean');
      if (!falsy) add(node, 'return undefined;');
    },
  }).visit(parseSync(file, source).program);
  return [...found.values()];
}

function label(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length <= LONGEST_LABEL ? line : `${line.slice(0, LONGEST_LABEL - 1)}…`;
}
