/** Contrast of the tokens: 4.5 to 1 for text, 3 to 1 for the borders of controls (WCAG 1.4.3, 1.4.11). */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const SHEET = readFileSync(
  new URL('../../../src/adapters/web/client/styles/tokens.css', import.meta.url),
  'utf8',
);
const TOKENS = new Map(
  [...SHEET.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
);

type Theme = 'light' | 'dark';

/** The linear red, green and blue of a token without alpha. */
function colourOf(name: string, theme: Theme): readonly number[] {
  const value = TOKENS.get(name);
  if (value === undefined) throw new Error(`there is no token --${name}`);
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  if (other !== undefined) return colourOf(other, theme);
  const [light, dark] = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ?([\d.]+)?\)/g)].map((parts) =>
    parts.slice(1).map((part) => Number(part ?? 0)),
  );
  const [lightness = 0, chroma = 0, hue = 0] = (theme === 'light' ? light : dark) ?? [];
  return fromOklch(lightness, chroma, hue);
}

/** Uses the matrices of CSS Color 4, clipped to sRGB. */
function fromOklch(lightness: number, chroma: number, hue: number): readonly number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((part) => Math.min(Math.max(part, 0), 1));
}

function contrast(one: string, other: string, theme: Theme): number {
  const [high = 0, low = 0] = [one, other]
    .map((name) => {
      const [red = 0, green = 0, blue = 0] = colourOf(name, theme);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['page', 'sidebar', 'raised', 'hover'];

const TEXTS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['text', [...GROUNDS, 'pressed', 'accent-soft']],
  ['text-soft', [...GROUNDS, 'pressed', 'accent-soft']],
  ['accent', [...GROUNDS, 'accent-soft']],
  ['accent-hover', [...GROUNDS, 'pressed']],
  ...['red', 'amber', 'green', 'blue'].map((state) => [state, [...GROUNDS, `${state}-soft`]] as const),
  ['violet', GROUNDS],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-red', ['red']],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(TEXTS)('%s can be read', (text, grounds) => {
    const weak = grounds.filter((ground) => contrast(text, ground, theme) < 4.5);
    expect(weak).toStrictEqual([]);
  });

  test.each(['line-hard', 'accent'])('%s, as the border of a control, can be seen', (line) => {
    const weak = ['page', 'sidebar', 'raised'].filter((ground) => contrast(line, ground, theme) < 3);
    expect(weak).toStrictEqual([]);
  });
});

test('a known weak pair fails the check', () => {
  expect(contrast('accent', 'pressed', 'light')).toBeLessThan(4.5);
});
