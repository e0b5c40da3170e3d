/** The console's pages, as the program and embedders open them. */
import type { Pages } from '#adapters/http/pages.ts';
import type { HostPages } from '#adapters/web/serve/console-files.ts';

/** What `openConsole` may be told; it needs nothing. */
export interface ConsoleSettings {
  /** Where a host product has the pages that the console only links to. Default: nowhere. */
  readonly hostPages?: HostPages;
  /** Hears that the console is being built, which a checkout does once. */
  readonly onProgress?: (message: string) => void;
}

const NOWHERE: HostPages = { incidents: null, remoteAccess: null, vulnerabilities: null };

/** Rejects where the console cannot be built. */
export async function openConsole({ hostPages = NOWHERE, onProgress }: ConsoleSettings): Promise<Pages> {
  const { ensureConsole } = await import('#adapters/web/build/build-console.ts');
  const { openConsoleFiles } = await import('#adapters/web/serve/console-files.ts');
  const directory = await ensureConsole(() => onProgress?.('building the console (once)'));
  return openConsoleFiles(directory, hostPages);
}
