/** Texts of an inventory, which come from firmware and are often blank or placeholders. */
import { isPlaceholder } from '#domain/inventory/placeholder.ts';
import { isBlank } from '#domain/text/blank-text.ts';

/** The first text that is not blank, trimmed; null if there is none. */
export function firstText(...texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && !isBlank(text)) return text.trim();
  }
  return null;
}

/** Like {@link firstText}, but skips the placeholders that board vendors leave in firmware. */
export function nameplateText(...texts: readonly (string | undefined)[]): string | null {
  return firstText(...texts.filter((text) => text !== undefined && !isPlaceholder(text)));
}
