/** Reads a document as agents send it: compressed, or as it is (Contract: §13). */
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { HttpContext } from '#adapters/http/http-env.ts';
import { type CodedDocument, MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { readBytes } from './read-body.ts';

/** By media type in lower case. Agents that do not compress send their first word as application/xml. */
const CODINGS: Readonly<Record<string, CodedDocument['coding']>> = {
  'application/json': 'plain',
  'application/xml': 'plain',
  'application/x-compress-zlib': 'zlib',
  'application/x-compress-gzip': 'gzip',
};

/** Errors: `unsupported_media_type`, `payload_too_large`, `cancelled`. */
export async function readDocumentBody(c: HttpContext): Promise<Result<CodedDocument, Problem>> {
  const { headers } = c.req.raw;
  const coding = codingOf(headers);
  if (coding === null) return err(UNSUPPORTED);
  const bytes = await readBytes(c, MAX_DOCUMENT_BYTES);
  return bytes.ok ? ok({ bytes: bytes.value, coding }) : bytes;
}

function codingOf(headers: Headers): CodedDocument['coding'] | null {
  const contentCoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (contentCoding !== 'identity') return null;
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  const name = mediaType.trim().toLowerCase();
  return Object.hasOwn(CODINGS, name) ? (CODINGS[name] ?? null) : null;
}

const UNSUPPORTED: Problem = {
  code: 'unsupported_media_type',
  detail:
    'Content-Type must be application/json, application/x-compress-zlib or application/x-compress-gzip, without a Content-Encoding.',
};
