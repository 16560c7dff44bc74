// Which installation a database belongs to. Its data folder names the same one (src/service/installation.ts).

export interface Installation {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface InstallationStorage {
  /** Null if the database has none yet. */
  getInstallation(): Promise<Installation | null>;
  /** Does nothing when there is one. Returns the one there is: of several nodes that start at once, one makes it. */
  makeInstallation(input: Installation): Promise<Installation>;
}
