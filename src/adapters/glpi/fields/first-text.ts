/** Texts of an inventory, which agents fill from firmware and often with nothing. */

/** The first text with something in it, without the space around it; null where there is none. */
export function firstText(...texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    const trimmed = text?.trim() ?? '';
    if (trimmed !== '') return trimmed;
  }
  return null;
}

/** As {@link firstText}, passing over what makers leave in the firmware of boards that they sell to others. */
export function nameplateText(...texts: readonly (string | undefined)[]): string | null {
  return firstText(...texts.filter((text) => !PLACEHOLDER.test(text?.trim() ?? '')));
}

const PLACEHOLDER =
  /^(?:to be filled by o\.?e\.?m\.?|o\.?e\.?m\.?|system (?:manufacturer|product name|serial number)|default string|not (?:specified|available|applicable|provided)|none|n\/a|unknown|invalid|empty|x+|0+|[.-]+)$/i;
