/**
 * Reads bodies that come again and again, such as those of a dashboard's previews: the same bytes of the same tenant are
 * parsed once, into an object that is constant. Kept by tenant, or the time of an answer would show what others ask.
 */
import { LRUCache } from 'lru-cache';
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { HttpContext } from '#adapters/http/http-env.ts';
import { claimantOf } from '#application/admission/claimant-of.ts';
import { makeConstant } from '#application/constant.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Result } from '#domain/result.ts';
import { type JsonObject, MAX_BODY_BYTES, parseBody, readJsonBytes } from './read-body.ts';

/** Longer bodies are parsed each time, in bytes. */
const MAX_KEPT_BYTES = 4_096;

const MAX_KEPT = 2_000;

/** Of all bodies together, in bytes; what is parsed of them is some times larger. */
const MAX_KEPT_BYTES_IN_ALL = 1_048_576;

/** As `readJsonObject`. */
export type ReadRepeatedObject = (c: HttpContext, caller: Caller) => Promise<Result<JsonObject, Problem>>;

export function makeReadRepeatedObject(): ReadRepeatedObject {
  const kept = new LRUCache<string, Result<JsonObject, Problem>>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES_IN_ALL,
    sizeCalculation: (_parsed, key) => key.length,
  });
  return async (c, caller) => {
    const bytes = await readJsonBytes(c, MAX_BODY_BYTES);
    if (!bytes.ok) return bytes;
    if (bytes.value.byteLength > MAX_KEPT_BYTES) return parseBody(bytes.value);
    // One character for each byte, so that different bytes never look the same.
    const { buffer, byteOffset, byteLength } = bytes.value;
    const characters = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const key = `${claimantOf(caller).tenant} ${characters}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const parsed = await parseBody(bytes.value);
    if (parsed.ok) {
      makeConstant(parsed.value);
      kept.set(key, parsed);
    }
    return parsed;
  };
}
