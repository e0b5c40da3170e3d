/** Pages, such as the console, at addresses that no route has (Contract: §14). */

export interface PageAnswer {
  readonly status: 200 | 404;
  readonly body: Uint8Array<ArrayBuffer>;
  /** These headers override the API's headers of the same name. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Pages {
  find(pathname: string, acceptsBrotli: boolean): PageAnswer | null;
  notFound(acceptsBrotli: boolean): PageAnswer;
}

/** Null until the pages are ready. */
export type FindPages = () => Pages | null;

/** Returns the "not found" page only to clients that accept HTML. */
export function findPage(pages: Pages | null, request: Request, path: string): PageAnswer | null {
  if (pages === null || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  const acceptsBrotli = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '');
  const found = pages.find(path, acceptsBrotli);
  if (found !== null) return found;
  const isForPeople = /\btext\/html\b/.test(request.headers.get('accept') ?? '');
  return isForPeople && !path.startsWith('/api/') ? pages.notFound(acceptsBrotli) : null;
}
