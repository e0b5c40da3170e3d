/** Length of a text as a person counts it for a limit: Unicode code points (Contract: §5). */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
