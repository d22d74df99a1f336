// Adds up vitest's JSON reports and prints the one closing line: "N passed, N failed". Exit code 1 when something failed.
import { readFileSync } from 'node:fs';

/** A run that left no report, or one that was cut off, and a file that could not even be loaded, count as one failure each. */
function countOf(path) {
  const report = reportIn(path);
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = report;
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

/** Null when there is none that can be read. */
function reportIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

const counts = process.argv.slice(2).map(countOf);
const sum = (name) => counts.reduce((all, count) => all + count[name], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
