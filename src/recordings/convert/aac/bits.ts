// The bits of one frame, the highest of each byte first.

/** The frame cannot be decoded; those behind it may be. Caught in aac.ts, which counts it. */
export class BrokenFrame extends Error {}

export class BitReader {
  readonly #view: DataView;
  readonly #end: number;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength * 8;
  }

  /** The next 1 to 25 bits; zeros behind the end. */
  peek(count: number): number {
    const at = this.#position >>> 3;
    const word = at + 4 <= this.#view.byteLength ? this.#view.getUint32(at) : this.#last(at);
    return (word << (this.#position & 7)) >>> (32 - count);
  }

  has(count: number): boolean {
    return this.#position + count <= this.#end;
  }

  skip(count: number): void {
    this.#position += count;
    if (this.#position > this.#end) throw new BrokenFrame('it ends too early');
  }

  read(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  readFlag(): boolean {
    return this.read(1) === 1;
  }

  /** To the next whole byte. */
  align(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  #last(at: number): number {
    let word = 0;
    for (let next = at; next < at + 4; next++)
      word = (word << 8) | (next < this.#view.byteLength ? this.#view.getUint8(next) : 0);
    return word;
  }
}
