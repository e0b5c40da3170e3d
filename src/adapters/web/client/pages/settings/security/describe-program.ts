/** What a browser or a program calls itself, as far as people know it by that. */

export interface Program {
  /** Null: it is none that is known here. */
  readonly browser: string | null;
  /** Null: unknown. */
  readonly system: string | null;
  /** The first word of what it says, for programs such as `curl/8.5`; null where it says nothing. */
  readonly name: string | null;
}

/** In this order: most say that they are others, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

export function describeProgram(userAgent: string | null): Program {
  const text = userAgent ?? '';
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  return {
    browser: find(BROWSERS),
    system: find(SYSTEMS),
    name: text.trim().split(/[\s/]/)[0] || null,
  };
}
