/** Filters as text, as JSON text (Contract: §11). */
import type { TextCompletion } from '#application/filters/text/complete-text.ts';
import type { ParsedText } from '#application/filters/text/parse-text.ts';
import { jsonText } from '#domain/text/json-text.ts';

/** `{data: {conditions, q}}`. */
export function presentParsedText({ conditions, q }: ParsedText): string {
  return jsonText({ data: { conditions, q } });
}

/** `{data: {q}}`. */
export function presentText(q: string): string {
  return JSON.stringify({ data: { q } });
}

/** `{data: {from, to, items: [{insert, label, description}]}}`. */
export function presentCompletion({ from, to, items }: TextCompletion): string {
  return JSON.stringify({
    data: {
      from,
      to,
      items: items.map(({ insert, label, description }) => ({ insert, label, description })),
    },
  });
}
