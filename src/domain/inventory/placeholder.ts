/** What vendors leave in firmware where something of the machine's own should be. */

/** Whether the text says nothing of the machine that it is read from; the empty one does not. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

const PLACEHOLDER =
  /^(?:|to be filled by o\.?e\.?m\.?|o\.?e\.?m\.?|(?:system|chassis|base ?board|product) (?:manufacturer|product name|serial(?: number)?)|default(?: string)?|not? (?:specified|available|applicable|provided|defined|settable|present|asset tag)|none|null|n\/?a|unknown|undefined|invalid|empty|(?:serial|s\/?n)(?: ?number)?|x+|0+|[.-]+)$/i;
