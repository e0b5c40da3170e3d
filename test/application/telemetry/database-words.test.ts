/** What logs say about a failure of the database, and what they never say. */
import { expect, test } from 'vitest';
import { databaseWords } from '#application/telemetry/error-words.ts';

const answered = (code: string, message: string) =>
  Object.assign(new Error(message), { severity: 'ERROR', code });

test.each([
  ['57014', 'canceling statement due to statement timeout'],
  ['23505', 'duplicate key value violates unique constraint "app_user_email_key"'],
  ['28P01', 'password authentication failed for user "fleetsift"'],
  ['3D000', 'database "fleet" does not exist'],
])('the message of %s is logged unchanged', (code, message) => {
  expect(databaseWords(answered(code, message))).toBe(message);
});

test.each([
  ['22P02', 'invalid input syntax for type uuid: "CANARY"', 'invalid input syntax for type uuid: "…"'],
  [
    '22P02',
    'invalid input syntax for type json: "a" - "CANARY\nCANARY"',
    'invalid input syntax for type json: "…"',
  ],
  ['42601', 'syntax error at or near "CANARY"', 'syntax error at or near "…"'],
  ['P0001', 'no "CANARY" here', 'no "…" here'],
  ['23505', 'duplicate key "k"\n - detail: Key (email)=(CANARY) already exists.', 'duplicate key "k"'],
])('the message of %s is logged without anything that may be a value', (code, message, words) => {
  expect(databaseWords(answered(code, message))).toBe(words);
});

test.each([new Error('boom'), Object.assign(new Error('insert CANARY'), { code: '23505' }), 'text', null])(
  'nothing is logged of an error that PostgreSQL did not send: %s',
  (error) => {
    expect(databaseWords(error)).toBeNull();
  },
);
