import type { DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import type { NativePackage } from '#adapters/embedded-postgres/files/native-package.ts';

/** One data directory and its PostgreSQL. */
export interface ServerContext {
  readonly dataDir: DataDir;
  readonly native: NativePackage;
  readonly settings: Readonly<Record<string, string>>;
  /** Reports slow or failing steps to the operator. */
  readonly report: (message: string) => void;
}
