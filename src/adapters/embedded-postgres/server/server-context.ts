/** What every step of starting, keeping and stopping one embedded server needs to know. */
import type { DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import type { NativePackage } from '#adapters/embedded-postgres/files/native-package.ts';

/** One data directory and the PostgreSQL that serves it. */
export interface ServerContext {
  readonly dataDir: DataDir;
  readonly native: NativePackage;
  /** PostgreSQL settings that go before ours, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Tells the operator what takes long or went wrong, a sentence at a time. */
  readonly report: (message: string) => void;
}
