/** No contract is forgotten: `testAllContracts` calls the suite of every contract file. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const contracts = globSync('**/*.contract.ts', { cwd: import.meta.dirname }).toSorted();

test('there are contracts of more than twenty ports', () => {
  expect(contracts.length).toBeGreaterThan(20);
});

test.each(contracts)('%s is called by the list, or by the contract that it is a part of', (file) => {
  const [, suite] = read(file).match(/^export function (test\w+)/m) ?? [];
  const whole = `${dirname(file)}.contract.ts`;
  const callers = contracts.includes(whole) ? ['all-contracts.ts', whole] : ['all-contracts.ts'];
  // Once where it is imported, and once more where it is called or listed.
  const mentions = callers.map(
    (caller) => read(caller).match(new RegExp(`\\b${suite}\\b`, 'g'))?.length ?? 0,
  );
  expect(Math.max(...mentions)).toBeGreaterThan(1);
});

test.each(contracts)('%s gets its test functions from the caller, not from Vitest', (file) => {
  expect(read(file)).not.toContain("from 'vitest'");
});
