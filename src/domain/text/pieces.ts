/** Nested parts, joined once at the end: joining at every level of a deep tree would copy the text over and over. */
export type Pieces = string | readonly Pieces[];

/** Joins without recursion, so any depth is safe. */
export function joinPieces(pieces: Pieces): string {
  const out: string[] = [];
  const stack: Pieces[] = [pieces];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') out.push(top);
    else for (let i = top.length - 1; i >= 0; i--) stack.push(top[i] ?? '');
  }
  return out.join('');
}
