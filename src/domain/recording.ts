// A prompt: metadata here, sound in a file named by its content.

export interface Recording {
  readonly name: string;
  readonly duration_ms: number;
  /** SHA-256 of the file in DATA_DIR/recordings. */
  readonly sha256: string;
}
