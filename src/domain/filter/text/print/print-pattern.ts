/** PostgreSQL regular expressions between slashes, as the text grammar has them: `\/` is a slash, all else stays. */

/**
 * The pattern as `/re/`. A backslash right before a slash, or alone at the end, cannot be written there: such a
 * pattern is printed as another that matches the same texts. One that PostgreSQL refuses stays refused.
 */
export function printPattern(pattern: string): string {
  const writable = isWritable(pattern) ? pattern : rewrite(pattern);
  return `/${writable.replace(/\\[\s\S]|\//g, (part) => (part === '/' ? '\\/' : part))}/`;
}

function isWritable(pattern: string): boolean {
  return !/^(?:[^\\]|\\[^/])*\\(?:\/|$)/.test(pattern);
}

/** PostgreSQL's prefixes: `***=` for a literal text, `***:` for its own dialect, `(?…)` for options. */
function rewrite(pattern: string): string {
  if (pattern.startsWith('***=')) return escapeLiteral(pattern.slice('***='.length));
  const [prefix = '', options = ''] = /^(?:\*\*\*:)?(?:\(\?([a-z]*)\))?/.exec(pattern) ?? [];
  const rest = pattern.slice(prefix.length);
  const dialect = /[beq](?=[^beq]*$)/.exec(options)?.[0];
  if (dialect === 'q') {
    const caseOption = /[ci](?=[^ci]*$)/.exec(options)?.[0];
    return (caseOption === 'i' ? '(?i)' : '') + escapeLiteral(rest);
  }
  return prefix + (dialect === undefined ? rewriteAdvanced(rest) : rewritePosix(rest));
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** An escaped slash is a slash; `\c\` is the character U+001C. */
function rewriteAdvanced(pattern: string): string {
  return pattern.replace(/\\c[\s\S]|\\[\s\S]|\\$/g, (part) => {
    if (part === '\\c\\') return '\\u001C';
    return part === '\\/' ? '/' : part === '\\' ? UNFINISHED : part;
  });
}

/** In the brackets of the POSIX dialects a backslash is one; `[.\.]` is another way to write it there. */
function rewritePosix(pattern: string): string {
  return pattern.replace(/\[\^?\]?(?:\[([.=:])[\s\S]*?\1\]|[^\]])*\]|\\[\s\S]|\\$/g, (part) => {
    if (part.startsWith('[')) {
      return part.replace(/\[([.=:])[\s\S]*?\1\]|\\/g, (inner) => (inner === '\\' ? '[.\\.]' : inner));
    }
    return part === '\\/' ? '/' : part === '\\' ? UNFINISHED : part;
  });
}

/** At the end of a pattern as invalid as a lone backslash, and as harmless inside a comment. */
const UNFINISHED = '[';
