// Adds up vitest's JSON reports and prints the one closing line: "N passed, N failed". Exit code 1 when something failed.
// What failed is named once more before it, on stderr: of a long run's output often the end alone is kept.
import { readFileSync } from 'node:fs';

/** Lines of an error that are shown again; the whole of it stands where the test ran. */
const shown = 12;

/** A run that left no report, or one that was cut off, and a file that could not even be loaded, count as one failure each. */
function countOf(path) {
  const report = reportIn(path);
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = report;
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

/** What failed in a report, a text each: the file, the test's name and the beginning of its error. */
function failuresIn(path) {
  const report = reportIn(path);
  if (report === null) return [`${path}: a run that left no report, or one that was cut off`];
  return report.testResults.flatMap((file) => {
    if (file.status !== 'failed') return [];
    if (file.assertionResults.length === 0) return [told(file.name, '(could not be loaded)', [file.message ?? ''])];
    return file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => told(file.name, test.fullName, test.failureMessages));
  });
}

function told(file, name, messages) {
  const lines = messages.flatMap((message) => message.split('\n')).slice(0, shown);
  return [`FAILED ${file} > ${name}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Null when there is none that can be read. */
function reportIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

const reports = process.argv.slice(2);
const counts = reports.map(countOf);
const sum = (name) => counts.reduce((all, count) => all + count[name], 0);
for (const failure of reports.flatMap(failuresIn)) console.error(failure);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 ? 0 : 1);
