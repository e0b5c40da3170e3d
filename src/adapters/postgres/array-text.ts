/**
 * A list as PostgreSQL reads it as an array. Every text is quoted: MikroORM leaves `null` and white space bare, which
 * PostgreSQL takes for NULL and for nothing.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = '';
  for (const value of values) {
    if (text !== '') text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += `"${NEEDS_ESCAPE.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  return `{${text}}`;
}

const NEEDS_ESCAPE = /["\\]/;
