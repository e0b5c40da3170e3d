/** Reads CSV strictly by the grammar of RFC 4180. */

/** The records, including the header. Throws unless the text is CSV that ends with a line break. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const fail = (what: string) => {
    throw new Error(`${what} at ${at} of ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 40))}`);
  };
  while (at < text.length) {
    const field = text[at] === '"' ? QUOTED : BARE;
    field.lastIndex = at;
    const [whole, content = ''] = field.exec(text) ?? fail('no field') ?? [''];
    record.push(field === QUOTED ? content.replaceAll('""', '"') : content);
    at += whole.length;
    if (text[at] === ',') {
      at += 1;
      // A comma at the end of the text would start a field that the loop does not reach.
      if (at === text.length) fail('no line break');
    } else if (text.startsWith('\r\n', at)) {
      at += 2;
      records.push(record);
      record = [];
    } else {
      fail('neither a comma nor a line break');
    }
  }
  if (record.length > 0) fail('no line break');
  const widths = new Set(records.map(({ length }) => length));
  if (widths.size > 1) fail(`records of ${[...widths].join(' and ')} fields`);
  return records;
}

const QUOTED = /"((?:[^"]|"")*)"/y;
const BARE = /([^",\r\n]*)/y;
