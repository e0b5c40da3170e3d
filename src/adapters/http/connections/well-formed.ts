/** What Node's parser accepts although two readers of the same bytes could see different requests in them. */
import type { IncomingMessage } from 'node:http';

/**
 * Whether the request names exactly one host (RFC 9112, 3.2; HTTP/1.0 may do without) and frames its body with a
 * length or `chunked`, and with no other coding (RFC 9112, 6.1).
 */
export function isWellFormed({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false;
  // Repeated headers are joined, so that this is not `chunked` either.
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked';
}

/** `headers` has only the first. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
