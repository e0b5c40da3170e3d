/** Inflates as a stream with a bound, so a bomb takes no more memory than a document. */
import { createGunzip, createInflate } from 'node:zlib';
import { type CodedDocument, MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';
import { err, ok, type Result } from '#domain/result.ts';

export type InflateRefusal = 'too-large' | 'broken';

const CHUNK_BYTES = 65_536;

/** `broken`: truncated, or not this coding. Runs off the event loop. */
export async function inflate({ bytes, coding }: CodedDocument): Promise<Result<Uint8Array, InflateRefusal>> {
  if (coding === 'plain') return bytes.byteLength > MAX_DOCUMENT_BYTES ? err('too-large') : ok(bytes);
  const stream = (coding === 'zlib' ? createInflate : createGunzip)({ chunkSize: CHUNK_BYTES });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    stream.end(bytes);
    // Leaving the loop destroys the stream.
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_DOCUMENT_BYTES) return err('too-large');
      chunks.push(chunk);
    }
  } catch {
    return err('broken');
  }
  return ok(Buffer.concat(chunks, size));
}
