// One table as CSV (RFC 4180), read piece by piece: the first line has the names of the columns. Commas, semicolons or tabs.
import { ForeignFileError } from './foreign-account.ts';
import { costOf, MAX_KEPT, MAX_ROWS, type Row, TOO_LARGE } from './sql-dump.ts';

const MAX_CELL = 64 * 1024;
const MAX_COLUMNS = 1_000;

export class CsvTable {
  readonly #rows: Row[] = [];
  readonly #name: string;
  #names: string[] | null = null;
  #separator: string | null = null;
  #cells: string[] = [];
  #cell = '';
  /** `closed`: after the quote that ends a cell, or is the first of two. */
  #state: 'plain' | 'quoted' | 'closed' = 'plain';
  #isFirst = true;
  #kept = 0;

  constructor(name: string) {
    this.#name = name;
  }

  feed(piece: string): void {
    for (let index = 0; index < piece.length; index++) this.#read(piece[index] ?? '');
  }

  end(): readonly Row[] {
    if (this.#state === 'quoted')
      throw new ForeignFileError(`${this.#name} is cut off: it ends within quotes.`);
    if (this.#cell !== '' || this.#cells.length > 0) this.#line();
    if (!this.#names)
      throw new ForeignFileError(`${this.#name} is empty: its first line must name the columns.`);
    return this.#rows;
  }

  #read(char: string): void {
    if (this.#isFirst) {
      this.#isFirst = false;
      if (char === '\uFEFF') return;
    }
    if (this.#state === 'quoted') {
      if (char === '"') this.#state = 'closed';
      else this.#keep(char);
    } else if (char === '"' && (this.#state === 'closed' || this.#cell === '')) {
      if (this.#state === 'closed') this.#keep(char);
      this.#state = 'quoted';
    } else if (this.#separates(char)) this.#next();
    else if (char === '\n') this.#line();
    else if (char !== '\r') this.#keep(char);
  }

  /** The first mark of the first line decides. */
  #separates(char: string): boolean {
    if (this.#separator === null && !this.#names && (char === ',' || char === ';' || char === '\t'))
      this.#separator = char;
    return char === this.#separator;
  }

  #keep(char: string): void {
    if (this.#cell.length < MAX_CELL) this.#cell += char;
  }

  #next(): void {
    if (this.#cells.length >= MAX_COLUMNS)
      throw new ForeignFileError(`${this.#name} has more than ${MAX_COLUMNS} columns.`);
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'plain';
  }

  #line(): void {
    this.#next();
    const cells = this.#cells;
    this.#cells = [];
    if (cells.length === 1 && cells[0] === '') return;
    if (!this.#names) {
      this.#names = cells.map((name) => name.trim());
      return;
    }
    const names = this.#names;
    if (cells.length > names.length)
      throw new ForeignFileError(
        `${this.#name}: line ${this.#rows.length + 2} has ${cells.length} cells, and there are ${names.length} columns.`,
      );
    if (this.#rows.length >= MAX_ROWS)
      throw new ForeignFileError(`${this.#name} has more than ${MAX_ROWS} rows.`);
    this.#kept += costOf(cells);
    if (this.#kept > MAX_KEPT) throw new ForeignFileError(TOO_LARGE);
    this.#rows.push(Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])));
  }
}
