// Lists the mutants of a source file: each is one small change to its text. The parser is Vite's own (oxc).
import { type ESTree, parseSync, Visitor } from 'vite';

export interface Mutant {
  readonly file: string;
  readonly lineNumber: number;
  /** The original line, trimmed. With file and change it names the mutant in equivalents.json. */
  readonly line: string;
  readonly change: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: 'expression' | 'statement';
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

/** Texts with SQL: each comparison of a condition is left out or moved by one, each order and limit changed. */
const SQL = /\b(SELECT|UPDATE|DELETE|WHERE|AND)\b/;
const OPERAND = /(?:\$\{[^}]*\}|\$?[\w.]+|'\w*'|\([^()]*\))/.source;
const CONDITION = /(?<=(?:^['"`]|(?:WHERE|AND|OR)\s+\(?))/.source;
const COMPARISON = new RegExp(`${CONDITION}(${OPERAND}) (=|<>|<=|>=|<|>) (${OPERAND})`, 'g');
const MEMBERSHIP = new RegExp(`${CONDITION}${OPERAND} (?:NOT )?IN \\((?:[^()]|\\([^()]*\\))*\\)`, 'g');
const ORDER = /(?<=ORDER BY )[\w.]+(?=,| LIMIT|\n|$)| DESC\b|LIMIT \$\d+/g;
const MOVED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

const LONGEST_LABEL = 100;

interface Span {
  readonly start: number;
  readonly end: number;
}

const isText = (node: ESTree.Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)));

type SqlChange = Span & { readonly replacement: string };

/** What can be changed in a text with SQL. A condition that is left out stays in the text: databases refuse a value that is not used. */
function sqlChanges(text: string): readonly SqlChange[] {
  const found: SqlChange[] = [];
  const add = (match: RegExpExecArray, replacement: string) =>
    found.push({ start: match.index, end: match.index + match[0].length, replacement });
  for (const match of text.matchAll(COMPARISON)) {
    const [whole, left, operator = '', right] = match;
    add(match, `(${whole} OR 1 = 1)`);
    const moved = MOVED[operator];
    if (moved !== undefined) add(match, `${left} ${moved} ${right}`);
  }
  for (const match of text.matchAll(MEMBERSHIP)) add(match, `(${match[0]} OR 1 = 1)`);
  for (const match of text.matchAll(ORDER)) {
    const [whole] = match;
    add(match, whole === ' DESC' ? '' : whole.startsWith('LIMIT') ? `${whole} + 1` : `${whole} DESC`);
  }
  return found;
}

export function listMutants(file: string, source: string): readonly Mutant[] {
  const found = new Map<string, Mutant>();
  // Literals that are types, paths of imports or names of properties.
  const names = new Set<number>();
  const add = (
    { start, end }: Span,
    replacement: string,
    kind: Mutant['kind'] = 'expression',
    change = `${label(source.slice(start, end))} → ${label(replacement)}`,
  ) => {
    const before = source.slice(0, start).split('\n');
    const lineEnd = source.indexOf('\n', start);
    const line = source.slice(start - (before.at(-1)?.length ?? 0), lineEnd < 0 ? undefined : lineEnd).trim();
    const mutant = { file, lineNumber: before.length, line, change, start, end, replacement, kind };
    found.set(`${start} ${end} ${replacement}`, mutant);
  };
  const turn = (node: Span, left: Span, operator: string) => {
    const at = source.indexOf(operator, left.end);
    const right = source.slice(at + operator.length, node.end).trim();
    for (const other of OPERATORS[operator] ?? [])
      add(node, `(${source.slice(node.start, at).trim()}) ${other} (${right})`);
  };
  const force = (test: Span | null, ...values: string[]) => {
    for (const value of values) if (test) add(test, value);
  };
  const changeSql = (node: Span) => {
    const text = source.slice(node.start, node.end);
    if (!SQL.test(text) || text.includes('CREATE ')) return;
    for (const { start, end, replacement } of sqlChanges(text)) {
      const change = `${label(text.slice(start, end))} → ${label(replacement)}`;
      add(node, text.slice(0, start) + replacement + text.slice(end), 'expression', change);
    }
  };
  const remove = (statement: Span) => add(statement, ';', 'statement');
  // The compiler proves that it is never reached.
  const isProof = (node: ESTree.Node) =>
    node.type === 'TSSatisfiesExpression' && node.typeAnnotation.type === 'TSNeverKeyword';
  const name = (node: ESTree.Node | null) => void (node && names.add(node.start));

  new Visitor({
    TSLiteralType: ({ literal }) => {
      name(literal);
      if (literal.type === 'UnaryExpression') name(literal.argument);
    },
    ImportDeclaration: (node) => name(node.source),
    ImportAttribute: (node) => name(node.value),
    ExportNamedDeclaration: (node) => name(node.source),
    Property: (node) => name(node.key),
    PropertyDefinition: (node) => name(node.key),
    TSPropertySignature: (node) => name(node.key),
    BinaryExpression: (node) => {
      if (node.operator !== '+' || !isText(node)) turn(node, node.left, node.operator);
    },
    LogicalExpression: (node) => turn(node, node.left, node.operator),
    AssignmentExpression: (node) => {
      if (node.operator !== '+=' || !isText(node.right)) turn(node, node.left, node.operator);
    },
    UpdateExpression: (node) => {
      const argument = source.slice(node.argument.start, node.argument.end);
      const other = OPERATORS[node.operator]?.join() ?? '';
      add(node, node.prefix ? other + argument : argument + other);
    },
    UnaryExpression: (node) => {
      if (!names.has(node.start) && (node.operator === '!' || node.operator === '-'))
        add(node, source.slice(node.start + 1, node.end));
    },
    TemplateLiteral: changeSql,
    Literal: (node) => {
      if (names.has(node.start)) return;
      if (typeof node.value === 'string') changeSql(node);
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      else if (typeof node.value === 'number') force(node, String(node.value + 1), String(node.value - 1));
      else if (node.value === '') add(node, `'mutant'`);
      else if (typeof node.value === 'string' && NAME.test(node.value)) add(node, `''`);
    },
    IfStatement: (node) => force(node.test, 'true', 'false'),
    ConditionalExpression: (node) => force(node.test, 'true', 'false'),
    WhileStatement: (node) => force(node.test, 'false'),
    ForStatement: (node) => force(node.test, 'false'),
    ForOfStatement: remove,
    ExpressionStatement: (node) => {
      if (!isProof(node.expression)) remove(node);
    },
    ThrowStatement: remove,
    BreakStatement: remove,
    ContinueStatement: remove,
    ReturnStatement: (node) => {
      const { argument } = node;
      if (!argument) return remove(node);
      if (isProof(argument)) return;
      const falsy =
        (argument.type === 'Identifier' && argument.name === 'undefined') ||
        (argument.type === 'Literal' && typeof argument.value === 'boolean');
      if (!falsy) add(node, 'return undefined;', 'statement');
    },
  }).visit(parseSync(file, source).program);
  return [...found.values()];
}

/** The file with one mutant. */
export function apply(source: string, { start, end, replacement, kind }: Mutant): string {
  const text = kind === 'expression' ? `(${replacement})` : replacement;
  return source.slice(0, start) + text + source.slice(end);
}

/** The file with all its mutants, each behind a question: `a < b` becomes `(__mutant(7) ? (a <= b) : (a < b))`, see repeating-runner.ts. */
export function instrument(source: string, mutants: ReadonlyMap<number, Mutant>): string {
  const spans = new Map<string, Span & { before: string; after: string }>();
  for (const [id, { start, end, replacement, kind }] of mutants) {
    const key = `${start} ${end} ${kind}`;
    const span = spans.get(key) ?? {
      start,
      end,
      before: kind === 'expression' ? '((' : '{{',
      after: kind === 'expression' ? '))' : '}}',
    };
    span.before =
      kind === 'expression'
        ? `(globalThis.__mutant?.(${id})?(${replacement}):${span.before.slice(1)}`
        : `{if(globalThis.__mutant?.(${id})){${replacement}}else${span.before.slice(1)}`;
    spans.set(key, span);
  }
  const inserts = [...spans.values()].flatMap(({ start, end, before, after }) => [
    // At the same place: first what ends there, the inner one first; then what begins, the outer one first.
    { at: start, order: end, text: before, opens: 1 },
    { at: end, order: start, text: after, opens: 0 },
  ]);
  inserts.sort((a, b) => a.at - b.at || a.opens - b.opens || b.order - a.order);
  let text = '';
  let done = 0;
  for (const insert of inserts) {
    text += source.slice(done, insert.at) + insert.text;
    done = insert.at;
  }
  return text + source.slice(done);
}

function label(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length <= LONGEST_LABEL ? line : `${line.slice(0, LONGEST_LABEL - 1)}…`;
}
