/** Conditions in words, as chips and explanations show them. */
import { describe, expect, test } from 'vitest';
import { membersOf } from '#console/pages/devices/filter/chip-tree.ts';
import { describeNode } from '#console/pages/devices/filter/describe-condition.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';

const ARDEN = '019a0000-0000-7000-8000-000000000001';

function conditionsOf(text: string): ConditionJson {
  const parsed = parseFilterText(text, CORE_CATALOG, () => [ARDEN]);
  if (!parsed.ok) throw new Error(parsed.error[0]?.message);
  return parsed.value;
}

const inWords = (text: string) =>
  membersOf(conditionsOf(text)).map((node) =>
    describeNode(node, (id) => (id === ARDEN ? 'Arden Manufacturing' : undefined)),
  );

test.each([
  ['status:online', ['Status is online']],
  ['status:online tags:a,b', ['Status is online', 'Tags has any of a, b']],
  ['seen:<7d', ['Last Seen At is within the last 7 days']],
  ['disk:50..80', ['Disk (%) is between 50 – 80']],
  ['user:none', ['Last User has no value']],
  ['reboot:yes', ['Reboot Required is yes']],
  ['org:arden', ['Organization is Arden Manufacturing']],
  ['chrome', ['name or user contains chrome']],
  ['-chrome', ['name or user does not contain chrome']],
  ['status:online chrome', ['Status is online', 'name or user contains chrome']],
  [
    'status:online (os:windows OR os:linux)',
    ['Status is online', '(OS Type is windows or OS Type is linux)'],
  ],
  ['os:windows OR os:linux', ['OS Type is windows', 'OS Type is linux']],
  ['host:=""', ['Hostname is “”']],
])('%s is described as %j', (text, expected) => {
  expect(inWords(text)).toStrictEqual(expected);
});

describe('deep groups', () => {
  test('end in an ellipsis', () => {
    const deep = `${'(os:linux OR (status:online '.repeat(6)}role:server${'))'.repeat(6)}`;
    expect(inWords(`role:nas ${deep}`)[1]).toMatch(/\(…\)/);
  });
});
