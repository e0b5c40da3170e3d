/** Tables for a terminal. */
import { expect, test } from 'vitest';
import { formatTable } from '#adapters/cli/terminal/format-text.ts';

test('columns stand under their headings, as wide as their widest cell', () => {
  const rows = [
    ['1', 'a long one', 'x'],
    ['22', '', ''],
    ['3', 'é👩', 'end'],
  ];
  expect(formatTable(['N', 'WHAT', 'LAST'], rows)).toBe(
    ['N   WHAT        LAST', '1   a long one  x', '22', '3   é👩          end'].join('\n'),
  );
});

test('characters that a terminal would obey are escaped', () => {
  expect(formatTable(['A'], [['\u001b[2Jx\r\ny\u202ez\u009b']])).toBe(
    'A\n\\u001b[2Jx\\u000d\\u000ay\\u202ez\\u009b',
  );
});
