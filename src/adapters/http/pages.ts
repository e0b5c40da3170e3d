/** Pages for people at addresses that no route has: the console, if there is one (Contract: §14). */

export interface PageAnswer {
  readonly status: 200 | 404;
  readonly body: Uint8Array<ArrayBuffer>;
  /** They take the place of those of the API. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a browser finds beside the API. */
export interface Pages {
  /** What is at this path; null if nothing is. */
  find(pathname: string, acceptsBrotli: boolean): PageAnswer | null;
  /** The page that says so, with status 404. */
  notFound(acceptsBrotli: boolean): PageAnswer;
}

/** The pages, as soon as there are any. */
export type FindPages = () => Pages | null;

/** The page at the address, or the one that says that there is none to whoever asks for one; else null. */
export function findPage(pages: Pages | null, request: Request, path: string): PageAnswer | null {
  if (pages === null || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  const acceptsBrotli = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '');
  const found = pages.find(path, acceptsBrotli);
  if (found !== null) return found;
  const isForPeople = /\btext\/html\b/.test(request.headers.get('accept') ?? '');
  return isForPeople && !path.startsWith('/api/') ? pages.notFound(acceptsBrotli) : null;
}
