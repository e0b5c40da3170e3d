/** A code as apps and papers write it, in groups: `123 456`. The service takes no spaces. */
export function typedCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}
