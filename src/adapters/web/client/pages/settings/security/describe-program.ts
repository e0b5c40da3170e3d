export interface Program {
  readonly browser: string | null;
  readonly system: string | null;
  /** The first word of a program such as `curl/8.5`; null for a browser or an unknown program. */
  readonly name: string | null;
}

/** The order matters, because most user agents also name other browsers. */
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
