import { finished } from 'node:stream/promises';
import { verifier } from 'stream-json/utils/verifier.js';
import type { FaultList, RecordPlace } from '#adapters/load/fault-list.ts';

/** `parseJson` returns this for invalid JSON, because no JSON value is undefined. */
export const NOT_JSON = undefined;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message quotes the text around the fault, which may be a password, and often has no position.
    return NOT_JSON;
  }
}

export async function endAtSyntaxFault(text: string, place: RecordPlace, faults: FaultList): Promise<never> {
  const offset = await findSyntaxFault(text);
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return faults.end({
    line: place.line + before.split('\n').length - 1,
    member: place.member,
    message: `is not valid JSON at character ${offset - lineStart + 1}`,
  });
}

async function findSyntaxFault(text: string): Promise<number> {
  const checker = verifier.asStream();
  checker.end(text);
  try {
    await finished(checker.resume());
  } catch (error) {
    if (error instanceof Error && 'offset' in error && typeof error.offset === 'number') return error.offset;
    throw error;
  }
  return 0;
}
