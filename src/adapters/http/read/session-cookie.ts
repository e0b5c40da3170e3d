/** The cookie that keeps a browser's refresh token: for these routes alone, and out of reach of scripts (Contract: §14). */
import type { HttpContext } from '#adapters/http/http-env.ts';

/** Where the routes of a browser's session are; the cookie is sent nowhere else. */
export const SESSION_PATH = '/api/v1/auth/session';

const NAME = 'fleetsift_session';

/** More than any browser has that nobody attacks. */
const MOST_COOKIES = 4;

/**
 * What the cookie holds, or each of several that differ, at most four; none if there is none. A browser sends several
 * where a neighbouring host has set one for both, and nothing tells which is which: a longer path puts it first.
 */
export function readSessionCookies(c: HttpContext): readonly string[] {
  const pairs = c.req.raw.headers.get('cookie')?.split(';') ?? [];
  const found = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${NAME}=`));
  const tokens = new Set(found.map((pair) => pair.slice(NAME.length + 1)));
  tokens.delete('');
  return [...tokens].slice(0, MOST_COOKIES);
}

/** `Set-Cookie` that keeps the token for that many seconds. */
export function sessionCookie(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = `Path=${SESSION_PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${NAME}=${token}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** `Set-Cookie` that removes it. */
export function noSessionCookie(isSecure: boolean): string {
  return sessionCookie('', 0, isSecure);
}
