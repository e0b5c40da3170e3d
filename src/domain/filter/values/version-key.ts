/**
 * Versions are compared by keys, whose code point order is the order of the versions. PostgreSQL compares
 * them in its "C" collation (Contract: §18).
 *
 * A version is a list of parts, followed by endless zeros: `7` and `7.0` are the same version. The key has a
 * token for each part that is not zero. The first digit of a token says whether its part makes the version
 * lower (`1-rc`) or higher (`1.0.1`).
 */

/** Words that make a version lower, in ascending order: `1-rc` is below `1`. */
const WORDS_BELOW_ZERO: readonly string[] = ['dev', 'snapshot', 'alpha', 'beta', 'pre', 'preview', 'rc'];

const PART = /[0-9]+|\p{L}+/gu;

const BELOW = '0';
const END = '1';
const ABOVE = '2';

/** Runs of digits or letters; null if there are none. */
export function versionParts(text: string): readonly string[] | null {
  return text.match(PART);
}

export function versionKey(text: string): string | null {
  const parts = versionParts(text);
  if (parts === null) return null;
  let key = '';
  let zeros = 0;
  for (const part of parts) {
    const word = part.toLowerCase();
    const rank = WORDS_BELOW_ZERO.indexOf(word);
    const digits = /^[0-9]/.test(part) ? part.replace(/^0+/, '') : null;
    if (digits === '') {
      zeros++;
      continue;
    }
    if (rank !== -1) key += `${BELOW}${countToken(zeros)}${rank}`;
    else
      key += `${ABOVE}${reversed(countToken(zeros))}${digits === null ? `a${word} ` : numberToken(digits)}`;
    zeros = 0;
  }
  return key + END;
}

/** Numbers (`b`) come after words (`a`). A word ends with a space, so `hot` is below `hotfix`. */
function numberToken(digits: string): string {
  return `b${countToken(digits.length)}${digits}`;
}

/** Tokens sort like the counts, and no token is the beginning of another. */
function countToken(count: number): string {
  return count === 0 ? '0' : `${String(count).length}${count}`;
}

/** More zeros before a part make a version lower: `1.0.0.1` is below `1.0.1`. */
function reversed(token: string): string {
  return token.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}
