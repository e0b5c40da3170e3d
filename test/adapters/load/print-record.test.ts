import { expect, test } from 'vitest';
import { printRecord } from '#adapters/load/print-record.ts';
import { newId } from '#test/support/builders.ts';
import { stringifyAsOlderNodes } from '#test/support/older-json.ts';

test('a filter of thirty thousand levels is one line, on older Nodes as well', () => {
  const depth = 30_000;
  const head = '{"operator":"AND","conditions":[';
  const tree = `${head.repeat(depth)}{"field":"tags","operator":"isEmpty"}${']}'.repeat(depth)}`;
  const record = {
    kind: 'filter',
    id: newId<'filter'>(),
    orgId: newId<'organization'>(),
    partnerId: null,
    name: 'Deep',
    description: null,
    conditions: JSON.parse(tree),
    createdBy: newId<'user'>(),
  } as const;
  stringifyAsOlderNodes();
  const line = printRecord(record);
  expect(line.endsWith('}\n')).toBe(true);
  expect(line.includes(`"conditions":${tree}`)).toBe(true);
});
