/**
 * Summarizes vitest's JSON report in one line. Fails if a test failed or was skipped, or if a test file was not run
 * at all: a test that nothing runs is worse than none.
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

const [reportFile = ''] = process.argv.slice(2);
const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'));
const reported = Map.groupBy(report.testResults, ({ name }) => resolve(name));
const missed = globSync('test/**/*.test.ts').filter(
  // Those of both projects are reported by each.
  (file) => (reported.get(resolve(file))?.length ?? 0) < (file.endsWith('.both.test.ts') ? 2 : 1),
);
const skipped = report.numPendingTests + report.numTodoTests;
const broken = report.testResults.filter(({ status }) => status === 'failed').length;

for (const file of missed) console.log(`not run: ${file}`);
if (skipped > 0) console.log(`${skipped} skipped; no test may be skipped`);
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`);
process.exitCode = missed.length + skipped + broken + report.numFailedTests > 0 ? 1 : 0;
