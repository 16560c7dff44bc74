// The rows of some tables of a MySQL dump, read piece by piece: what mysqldump writes, and no more of SQL. Only the rows that are asked
// for are kept; every state looks at one character, so that no input takes longer than its length.
import { ForeignFileError } from './foreign-account.ts';

export type Row = Readonly<Record<string, string>>;
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** The length of one value; what a dump has beyond it is cut off. */
const MAX_VALUE = 64 * 1024;
const MAX_COLUMNS = 500;
export const MAX_ROWS = 200_000;
/** Characters of all rows that are kept; each value counts as some more, for its place in memory. */
export const MAX_KEPT = 64 * 1024 * 1024;
const VALUE_COST = 16;
export const TOO_LARGE = `The rows are larger than ${MAX_KEPT / 1024 / 1024} MiB together.`;

export const costOf = (values: readonly string[]): number =>
  values.reduce((sum, { length }) => sum + length + VALUE_COST, 0);

type TokenType = 'word' | 'name' | 'text' | 'mark';
type State =
  | 'between'
  | 'word'
  | 'quoted'
  | 'quote seen'
  | 'escaped'
  | 'line comment'
  | 'comment'
  | 'star seen'
  | 'dash seen'
  | 'slash seen';

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', 0: '', Z: '' };
const BACKSLASH = 92;
const IN_WORD = /[A-Za-z0-9_.$@+-]/;

/** Characters → words, names in backticks, texts in quotes, and marks. Comments are left out. */
class Tokens {
  readonly #token: (type: TokenType, text: string) => void;
  #state: State = 'between';
  #quote = '';
  #text = '';

  constructor(token: (type: TokenType, text: string) => void) {
    this.#token = token;
  }

  feed(piece: string): void {
    for (let index = 0; index < piece.length; )
      if (this.#state === 'quoted') index = this.#inQuotes(piece, index);
      else this.#read(piece[index++] ?? '');
  }

  /** Texts are most of a dump: they are taken by the piece. */
  #inQuotes(piece: string, from: number): number {
    const [quote, backslash] = [this.#quote.charCodeAt(0), this.#quote === '`' ? -1 : BACKSLASH];
    let to = from;
    for (; to < piece.length; to++) {
      const code = piece.charCodeAt(to);
      if (code === quote || code === backslash) break;
    }
    this.#keep(piece.slice(from, to));
    if (to < piece.length) this.#state = piece.charCodeAt(to) === quote ? 'quote seen' : 'escaped';
    return to + 1;
  }

  /** False: it ends within a text or a comment. */
  end(): boolean {
    this.#read('\n');
    return this.#state === 'between' || this.#state === 'line comment';
  }

  #read(char: string): void {
    switch (this.#state) {
      case 'between':
        this.#begin(char);
        break;
      case 'word':
        if (IN_WORD.test(char)) this.#keep(char);
        else this.#emit('word', char);
        break;
      case 'quoted':
        this.#inQuotes(char, 0);
        break;
      case 'escaped':
        this.#keep(ESCAPES[char] ?? char);
        this.#state = 'quoted';
        break;
      case 'quote seen':
        this.#afterQuote(char);
        break;
      case 'dash seen':
        this.#afterDash(char);
        break;
      case 'slash seen':
        if (char === '*') this.#state = 'comment';
        else this.#begin(char);
        break;
      case 'line comment':
        if (char === '\n') this.#state = 'between';
        break;
      case 'comment':
        if (char === '*') this.#state = 'star seen';
        break;
      case 'star seen':
        this.#state = char === '/' ? 'between' : char === '*' ? 'star seen' : 'comment';
        break;
      default:
        this.#state satisfies never;
    }
  }

  /** Two quotes are one within the text. */
  #afterQuote(char: string): void {
    if (char === this.#quote) {
      this.#keep(char);
      this.#state = 'quoted';
    } else this.#emit(this.#quote === '`' ? 'name' : 'text', char);
  }

  /** A comment, or the sign of a number. */
  #afterDash(char: string): void {
    this.#state = char === '-' ? 'line comment' : 'word';
    if (char === '-') return;
    this.#text = '-';
    this.#read(char);
  }

  #begin(char: string): void {
    this.#text = '';
    this.#state = 'between';
    if (char === "'" || char === '"' || char === '`') {
      this.#quote = char;
      this.#state = 'quoted';
    } else if (char === '-') this.#state = 'dash seen';
    else if (char === '#') this.#state = 'line comment';
    else if (char === '/') this.#state = 'slash seen';
    else if (IN_WORD.test(char)) {
      this.#text = char;
      this.#state = 'word';
    } else if (char === '(' || char === ')' || char === ',' || char === ';') this.#token('mark', char);
  }

  #keep(text: string): void {
    const room = MAX_VALUE - this.#text.length;
    if (room > 0) this.#text += text.slice(0, room);
  }

  /** `next` is the character behind it. */
  #emit(type: TokenType, next: string): void {
    this.#token(type, this.#text);
    this.#begin(next);
  }
}

type Part = 'head' | 'columns' | 'insert' | 'rows' | 'skipped';

export class SqlDump {
  readonly #wanted: ReadonlySet<string>;
  readonly #tables = new Map<string, Row[]>();
  readonly #columns = new Map<string, string[]>();
  readonly #tokens = new Tokens((type, text) => this.#token(type, text));
  #part: Part = 'head';
  #head: string[] = [];
  #table = '';
  #depth = 0;
  #names: string[] = [];
  #values: string[] = [];
  #value: string | null = null;
  #expectsName = false;
  #rows = 0;
  #kept = 0;
  #statements = 0;

  constructor(wanted: readonly string[]) {
    this.#wanted = new Set(wanted);
  }

  feed(piece: string): void {
    this.#tokens.feed(piece);
  }

  end(): Tables {
    const isWhole = this.#tokens.end() && this.#part === 'head' && this.#head.length === 0;
    if (this.#statements === 0)
      throw new ForeignFileError('This is no MySQL dump: it has no CREATE TABLE and no INSERT INTO.');
    if (!isWhole) throw new ForeignFileError('The dump is cut off: it ends within a statement.');
    return this.#tables;
  }

  #token(type: TokenType, text: string): void {
    if (type === 'mark' && text === ';') this.#over();
    else if (this.#part === 'head') this.#begin(type, text);
    else this.#within(type, text);
  }

  #within(type: TokenType, text: string): void {
    if (type === 'mark' && text === '(') this.#depth += 1;
    if (this.#part === 'columns') this.#column(type, text);
    else if (this.#part === 'insert') this.#beforeValues(type, text);
    else if (this.#part === 'rows') this.#inRows(type, text);
    if (type === 'mark' && text === ')') this.#depth -= 1;
  }

  #over(): void {
    if (this.#part === 'rows' && this.#depth > 0)
      throw new ForeignFileError(`The dump is damaged: a row of ${this.#table} does not end.`);
    if (this.#part === 'columns') this.#columns.set(this.#table, this.#names);
    this.#part = 'head';
    this.#head = [];
    this.#depth = 0;
  }

  /** `CREATE TABLE [IF NOT EXISTS] name` or `INSERT [IGNORE] INTO name`; all other statements are passed over. */
  #begin(type: TokenType, text: string): void {
    const word = text.toUpperCase();
    if (
      type === 'word' &&
      ['CREATE', 'TABLE', 'IF', 'NOT', 'EXISTS', 'INSERT', 'IGNORE', 'INTO'].includes(word)
    ) {
      this.#head.push(word);
      return;
    }
    const verb = this.#head[0];
    const isTable = this.#head.includes(verb === 'INSERT' ? 'INTO' : 'TABLE');
    if (!isTable || type === 'mark' || type === 'text') {
      this.#part = 'skipped';
      return;
    }
    this.#statements += 1;
    this.#table = text;
    this.#names = [];
    this.#expectsName = true;
    this.#part = !this.#wanted.has(text) ? 'skipped' : verb === 'INSERT' ? 'insert' : 'columns';
  }

  #column(type: TokenType, text: string): void {
    if (type === 'name' && this.#depth === 1 && this.#expectsName) this.#addName(text);
    this.#expectsName = this.#depth === 1 && type === 'mark' && (text === '(' || text === ',');
  }

  #addName(text: string): void {
    if (this.#names.length >= MAX_COLUMNS)
      throw new ForeignFileError(`${this.#table} has more than ${MAX_COLUMNS} columns.`);
    this.#names.push(text);
  }

  #beforeValues(type: TokenType, text: string): void {
    if (this.#depth === 0 && type === 'word' && text.toUpperCase() === 'VALUES') {
      this.#part = 'rows';
      if (this.#names.length === 0) this.#names = this.#columns.get(this.#table) ?? [];
      if (this.#names.length === 0)
        throw new ForeignFileError(
          `The dump has rows of ${this.#table} and not its columns: make it with CREATE TABLE, or with complete INSERTs.`,
        );
    } else if (this.#depth === 1 && type !== 'mark') this.#addName(text);
  }

  #inRows(type: TokenType, text: string): void {
    if (type !== 'mark') {
      if (this.#depth === 1) this.#value = type === 'word' && text.toUpperCase() === 'NULL' ? '' : text;
      return;
    }
    if (this.#depth !== 1) return;
    if (text === '(') this.#values = [];
    else {
      this.#values.push(this.#value ?? '');
      if (this.#values.length > this.#names.length)
        throw new ForeignFileError(
          `The dump is damaged: a row of ${this.#table} has more values than columns.`,
        );
    }
    this.#value = null;
    if (text === ')') this.#row();
  }

  #row(): void {
    this.#rows += 1;
    if (this.#rows > MAX_ROWS)
      throw new ForeignFileError(`The dump has more than ${MAX_ROWS} rows of these tables.`);
    this.#kept += costOf(this.#values);
    if (this.#kept > MAX_KEPT) throw new ForeignFileError(TOO_LARGE);
    const rows = this.#tables.get(this.#table) ?? [];
    rows.push(Object.fromEntries(this.#values.map((value, index) => [this.#names[index] ?? '', value])));
    this.#tables.set(this.#table, rows);
  }
}
