import type { Pages } from '#adapters/http/pages.ts';
import type { HostPages } from '#adapters/web/serve/console-files.ts';

export interface ConsoleSettings {
  /** Addresses of host product pages that the console links to. Default: none. */
  readonly hostPages?: HostPages;
  /** Called when the console is being built, which a checkout does once. */
  readonly onProgress?: (message: string) => void;
}

const NOWHERE: HostPages = { incidents: null, remoteAccess: null, vulnerabilities: null };

/** Rejects if the console cannot be built. */
export async function openConsole({ hostPages = NOWHERE, onProgress }: ConsoleSettings): Promise<Pages> {
  const { ensureConsole } = await import('#adapters/web/build/build-console.ts');
  const { openConsoleFiles } = await import('#adapters/web/serve/console-files.ts');
  const directory = await ensureConsole(() => onProgress?.('building the console (once)'));
  return openConsoleFiles(directory, hostPages);
}
