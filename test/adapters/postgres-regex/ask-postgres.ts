/** What PostgreSQL itself answers to patterns and texts, many at a time. */
import type { Client } from 'pg';
import type { PatternSample } from './pattern-sample.ts';

/** One boolean per text, or the reason why the pattern is refused. */
export type PatternAnswer = readonly boolean[] | { readonly refused: string };

/**
 * Makes {@link askPostgres} possible on a connection; leaves nothing behind when it closes. The collation is
 * that of the databases this service makes (builtin C.UTF-8), whatever the server's own.
 */
export async function prepareConnection(client: Client): Promise<void> {
  await client.query(`
    CREATE FUNCTION pg_temp.answer(pattern text, texts text[]) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
      RETURN (SELECT string_agg(CASE WHEN t COLLATE "pg_c_utf8" ~ pattern THEN 't' ELSE 'f' END, '' ORDER BY n)
              FROM unnest(texts) WITH ORDINALITY AS u (t, n));
    EXCEPTION WHEN invalid_regular_expression THEN
      RETURN sqlerrm;
    END $$`);
}

/** PostgreSQL's answers, in the order of the samples. */
export async function askPostgres(
  client: Client,
  samples: readonly PatternSample[],
): Promise<PatternAnswer[]> {
  const { rows } = await client.query<{ answer: string }>(
    `SELECT pg_temp.answer(s.value ->> 'pattern', ARRAY(SELECT jsonb_array_elements_text(s.value -> 'texts'))) AS answer
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS s (value, n) ORDER BY n`,
    [JSON.stringify(samples)],
  );
  return rows.map(({ answer }) =>
    /^[tf]+$/.test(answer)
      ? Array.from(answer, (letter) => letter === 't')
      : { refused: answer.replace(/^invalid regular expression: /, '') },
  );
}
