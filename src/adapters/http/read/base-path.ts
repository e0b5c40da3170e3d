/** The path of BASE_URL (Contract: §15). */
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import type { HttpEnv } from '#adapters/http/http-env.ts';

/**
 * Returns the path without a trailing slash; empty at the root. Throws if the path has characters that the
 * service does not support.
 */
export function basePathOf(baseUrl: string | null | undefined): string {
  const path = baseUrl == null ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
  if (!/^(?:\/[\w.~-]+)*$/.test(path)) {
    throw new Error(
      `BASE_URL has the path ${path}; it may have letters, digits and - . _ ~ between its slashes`,
    );
  }
  return path;
}

/** Also accepts paths without the base path: some proxies strip it, and health checks lack it. */
export function makeGetPath(basePath: string): (request: Request) => string {
  return (request) => {
    const path = getPath(request);
    const isBelow = path === basePath || path.startsWith(`${basePath}/`);
    return isBelow ? path.slice(basePath.length) || '/' : path;
  };
}

/** Prefixes `Location` with the base path. */
export function makePlaceBelow(basePath: string) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const place = c.res.headers.get('Location');
    if (place?.startsWith('/')) c.res.headers.set('Location', `${basePath}${place}`);
  });
}
