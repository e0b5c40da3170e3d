/** The cookie that keeps a browser's refresh token: for these routes alone, and out of reach of scripts (Contract: §14). */
import type { HttpContext } from '#adapters/http/http-env.ts';

/** Where the routes of a browser's session are; the cookie is sent nowhere else. */
export const SESSION_PATH = '/api/v1/auth/session';

const NAME = 'fleetsift_session';

/** What the cookie holds; null if there is none. Of several, as a neighbouring host may set one, the first. */
export function readSessionCookie(c: HttpContext): string | null {
  const pairs = c.req.raw.headers.get('cookie')?.split(';') ?? [];
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${NAME}=`));
  const token = found?.slice(NAME.length + 1) ?? '';
  return token === '' ? null : token;
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
