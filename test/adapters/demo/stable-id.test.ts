import { expect, test } from 'vitest';
import { stableId } from '#adapters/demo/seeded-random.ts';

test('the id of a kind and a name never changes', () => {
  expect([stableId('device', 'varhaug/1'), stableId('organization', 'varhaug')]).toMatchInlineSnapshot(`
    [
      "01944736-8986-748a-abbe-2f709a4408bb",
      "0195120f-a924-7427-8911-11f146a907b1",
    ]
  `);
});

test('the same name has different ids for different kinds', () => {
  expect(stableId('organization', 'a')).not.toBe(stableId('partner', 'a'));
});
