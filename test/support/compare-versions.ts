/** Compares versions part by part, as the contract describes it (§18). The service compares keys instead. */
import { compareCodePoints } from '#domain/text/code-points.ts';

/** Less than 0, 0, or greater. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const difference = compareParts(x[i] ?? '0', y[i] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

export function hasVersion(text: string): boolean {
  return partsOf(text).length > 0;
}

function partsOf(text: string): readonly string[] {
  return [...text.matchAll(/[0-9]+|\p{L}+/gu)].map(([part]) => part.toLowerCase());
}

const WORDS = ['dev', 'snapshot', 'alpha', 'beta', 'pre', 'preview', 'rc'];

function compareParts(a: string, b: string): number {
  const classes = classOf(a) - classOf(b);
  if (classes !== 0) return classes;
  if (WORDS.includes(a)) return WORDS.indexOf(a) - WORDS.indexOf(b);
  return /^[0-9]/.test(a) ? Number(BigInt(a) - BigInt(b)) : compareCodePoints(a, b);
}

function classOf(part: string): number {
  if (WORDS.includes(part)) return 0;
  if (!/^[0-9]/.test(part)) return 2;
  return BigInt(part) === 0n ? 1 : 3;
}
