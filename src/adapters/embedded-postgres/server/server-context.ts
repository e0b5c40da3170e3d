/** What every step of starting, keeping and stopping one embedded server needs to know. */
import type { DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import type { NativePackage } from '#adapters/embedded-postgres/files/native-package.ts';

/** One data directory and the PostgreSQL that serves it. */
export interface ServerContext {
  readonly dataDir: DataDir;
  readonly native: NativePackage;
  /** PostgreSQL settings that override ours, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Reports a sentence to the operator about whatever takes long or fails. */
  readonly report: (message: string) => void;
}
