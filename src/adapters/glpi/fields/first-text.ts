import { isPlaceholder } from '#domain/inventory/placeholder.ts';
import { isBlank } from '#domain/text/blank-text.ts';

/** The first text that is not blank, trimmed; null if there is none. */
export function firstText(...texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && !isBlank(text)) return text.trim();
  }
  return null;
}

/** Like {@link firstText}, without the placeholders of board vendors. */
export function nameplateText(...texts: readonly (string | undefined)[]): string | null {
  return firstText(...texts.filter((text) => text !== undefined && !isPlaceholder(text)));
}
