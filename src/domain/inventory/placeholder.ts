/** Whether the text is a vendor's placeholder, such as "To be filled by O.E.M."; empty counts as one. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

const PLACEHOLDER =
  /^(?:|to be filled by o\.?e\.?m\.?|o\.?e\.?m\.?|(?:system|chassis|base ?board|product) (?:manufacturer|product name|serial(?: number)?)|default(?: string)?|not? (?:specified|available|applicable|provided|defined|settable|present|asset tag)|none|null|n\/?a|unknown|undefined|invalid|empty|(?:serial|s\/?n)(?: ?number)?|x+|0+|[.-]+)$/i;
