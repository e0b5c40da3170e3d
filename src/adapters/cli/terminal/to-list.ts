/** The words of a comma-separated option; none if it was not given. */
export function toList(words: string | undefined): readonly string[] {
  return (words ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
