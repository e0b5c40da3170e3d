const ANY_ORIGIN = 'https://console.invalid';

/**
 * Whether it is a path of this console, and nothing that a browser would take for another host. It is read as a browser
 * does, which turns backslashes round, and leaves out tabs and line breaks.
 */
export function isOwnAddress(address: string): boolean {
  if (!address.startsWith('/') || !URL.canParse(address, ANY_ORIGIN)) return false;
  return new URL(address, ANY_ORIGIN).origin === ANY_ORIGIN;
}
