// Adds up vitest's JSON reports and prints the one closing line: "N passed, N failed". Exit code 1 when something failed.
import { existsSync, readFileSync } from 'node:fs';

/** A run that left no report, and a file that could not even be loaded, count as one failure each. */
function countOf(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === '') return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text);
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

const counts = process.argv.slice(2).map(countOf);
const sum = (name) => counts.reduce((all, count) => all + count[name], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
