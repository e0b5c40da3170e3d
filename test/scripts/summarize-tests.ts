/**
 * Summarizes vitest's JSON reports in one line: node test/scripts/summarize-tests.ts REPORT... [--again REPORT]...
 * Fails if a test failed or was skipped, or if a test file was not run: a test that nothing runs is worse than none.
 * `--again` is a report of tests that ran once more on another server; it does not count as having run a file.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'string', multiple: true, default: [] } },
});
const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'));
const first = positionals.map(read);
const reports = [...first, ...values.again.map(read)];

const reported = Map.groupBy(
  first.flatMap(({ testResults }) => testResults),
  ({ name }) => resolve(name),
);
const missed = globSync('test/**/*.test.ts').filter(
  // A test of both backends is reported twice.
  (file) => (reported.get(resolve(file))?.length ?? 0) < (file.endsWith('.both.test.ts') ? 2 : 1),
);
const sum = (count: (report: Report) => number) =>
  reports.reduce((total, report) => total + count(report), 0);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
const broken = sum(({ testResults }) => testResults.filter(({ status }) => status === 'failed').length);
const failed = sum(({ numFailedTests }) => numFailedTests);

for (const file of missed) console.log(`not run: ${file}`);
if (skipped > 0) console.log(`${skipped} skipped; no test may be skipped`);
console.log(`${sum(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed`);
process.exitCode = missed.length + skipped + broken + failed > 0 ? 1 : 0;
