/** Serves the files of the built console (Contract: §14). */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ACCOUNT_DELETION_PATH, type HostPages, isPlace } from '#adapters/web/places.ts';

export interface ConsoleAnswer {
  readonly status: 200 | 404;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConsoleFiles {
  /** Null if the address is neither a page nor a file. */
  find(pathname: string, acceptsBrotli: boolean): ConsoleAnswer | null;
  notFound(acceptsBrotli: boolean): ConsoleAnswer;
}

/** Nothing is loaded from other hosts, and no script is inline. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = { 'Cache-Control': 'no-cache', 'Content-Security-Policy': CONSOLE_POLICY };

/** Assets are cached forever, because an asset's name changes with its content. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.md': 'text/plain; charset=utf-8',
};

/** Settings that the console reads without a session. */
const SETTINGS_FILE = '/settings.json';

export interface ConsoleFilesOptions {
  readonly hostPages: HostPages;
  /** The path of the public URL, without a trailing slash. */
  readonly basePath: string;
}

/** Keeps all files, about a megabyte, in memory. Throws if the console is not built. */
export async function openConsoleFiles(
  dir: string,
  { hostPages, basePath }: ConsoleFilesOptions,
): Promise<ConsoleFiles> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    contents.set(`/${relative(dir, path).replaceAll('\\', '/')}`, new Uint8Array(await readFile(path)));
  }
  for (const [name, content] of contents) {
    if (extname(name) !== '.html') continue;
    // Pages may have addresses of any depth, so relative paths would not work.
    const html = new TextDecoder().decode(content).replaceAll('"./', `"${basePath}/`);
    contents.set(name, new TextEncoder().encode(html));
    if (contents.has(`${name}.br`)) contents.set(`${name}.br`, new Uint8Array(brotliCompressSync(html)));
  }
  contents.set(SETTINGS_FILE, new TextEncoder().encode(JSON.stringify({ hostPages })));
  const page = (name: string): string => {
    if (!contents.has(name)) throw new Error(`there is no built console in ${dir}: ${name} is missing`);
    return name;
  };
  const consolePage = page('/index.html');
  const accountDeletionPage = page('/account-delete.html');

  function send(
    name: string,
    status: 200 | 404,
    headers: Readonly<Record<string, string>>,
    acceptsBrotli: boolean,
  ): ConsoleAnswer {
    const compressed = acceptsBrotli ? contents.get(`${name}.br`) : undefined;
    return {
      status,
      body: compressed ?? contents.get(name) ?? new Uint8Array(),
      headers: {
        ...headers,
        'Content-Type': MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
        Vary: 'Accept-Encoding',
        ...(compressed !== undefined && { 'Content-Encoding': 'br' }),
      },
    };
  }

  return {
    find(pathname, acceptsBrotli) {
      if (isPlace(pathname)) {
        const isDeletion = pathname.replace(/\/$/, '') === ACCOUNT_DELETION_PATH;
        return send(isDeletion ? accountDeletionPage : consolePage, 200, PAGE_HEADERS, acceptsBrotli);
      }
      const isFile = contents.has(pathname) && MEDIA_TYPES[extname(pathname)] !== undefined;
      if (!isFile || extname(pathname) === '.html') return null;
      const isHashed = pathname.startsWith('/assets/');
      return send(pathname, 200, isHashed ? ASSET_HEADERS : PAGE_HEADERS, acceptsBrotli);
    },
    notFound: (acceptsBrotli) => send(consolePage, 404, PAGE_HEADERS, acceptsBrotli),
  };
}
