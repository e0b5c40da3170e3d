/** The length of a text in Unicode code points, as limits count it (Contract: §5). */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
