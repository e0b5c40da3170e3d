import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '#application/ports/auth/resolve-txt.ts';

export function makeResolveTxt(servers?: readonly string[]): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: 2_500, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    try {
      // A record comes in pieces of up to 255 bytes.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(error.code);
      return isAbsent ? [] : null;
    }
  };
}

const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
