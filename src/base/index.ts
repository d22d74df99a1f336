// Errors, time, chance, logs, files and the process: what every room stands on. No business words.
export { afterAwake } from './awake.ts';
export { closeServer } from './close-server.ts';
export { groupBy } from './group-by.ts';
export { AppError, ERROR_CODES, isAbort, toAppError, type ErrorCode, type ExitCode } from './errors.ts';
export {
  aborted,
  compareTimes,
  endOfTurn,
  holdThread,
  inUtc,
  isoTime,
  shiftedClock,
  systemClock,
  type Clock,
  type ShiftedClock,
  zoneHere,
} from './clock.ts';
export { beginThread, builtProgram } from './begin-thread.ts';
export { atOnce, inTurns, type Pieces } from './turns.ts';
export { createMutex, type Mutex } from './mutex.ts';
export { manualClock, type ManualClock } from './manual-clock.ts';
export { seededRandom, systemRandom, type Random } from './random.ts';
export { Secret } from './secret.ts';
export {
  canonicalJson,
  canonicalPieces,
  isNestedDeeper,
  isRecord,
  jsonText,
  readableJson,
  valueAt,
  type Json,
} from './json.ts';
export { sha256 } from './hash.ts';
export { formatDuration, parseDuration, span } from './duration.ts';
export {
  ensurePrivateDirectory,
  fsyncDirectory,
  makeFolders,
  nearestFolder,
  removeTree,
  resolveInside,
  writeFileAtomic,
  CLEAN_PATH,
  WRITTEN_OUT,
} from './files.ts';
export { closedIn } from './closed-files.ts';
export { inFolder, namingFolder, PUT_BACK, tellingGone } from './folder-errors.ts';
export { isEveryAddress, isLoopback, isOfThisMachine, outerAddress } from './own-hosts.ts';
export { shownHost } from './shown-host.ts';
export { isOfFileSize, whyFull } from './system-errors.ts';
export { createTelling, type Telling } from './telling.ts';
export { NO_ANSWER_IN_TIME, withTimeout } from './with-timeout.ts';
export { tlsReason } from './tls-reasons.ts';
export { toldApart, valuesApart } from './told-apart.ts';
export { bytes, count, few, plural, thousands, UNSPACED_LETTER } from './words.ts';
export { forProgram, putAsideIn, readEnvironment, type Environment } from './environment.ts';
export {
  exitNow,
  holdHangups,
  interruptSignal,
  isTerminal,
  offerStdout,
  freeHeapFor,
  keepHeapSmall,
  setExitCode,
  terminalWidth,
  watchingStdout,
  writeStderr,
  writeStdout,
  type Hangups,
} from './process.ts';
export { ProxyClosed, proxyRefusal, ProxyUnreached, type Proxies } from './proxies.ts';
export { createPrompt, type Prompt } from './prompt.ts';
export { pathFromHere, shellWord } from './shell.ts';
export { didYouMean, editDistance } from './similar.ts';
export { asIndexed, folded } from './folded.ts';
export { decodePercent } from './percent.ts';
export { codeOf } from './error-code.ts';
export { safeText, safeUrl } from './safe-url.ts';
export { createLogger, LOG_LEVELS, silentLogger, type Logger, type LoggerOptions, type LogLevel } from './log.ts';
export { charactersOf } from './characters.ts';
export { largestOf, smallestOf } from './extremes.ts';
export { LazyList } from './lazy-list.ts';
export { lazy, lazyBy } from './lazy.ts';
export { takePassingLock } from './passing-lock.ts';
export { lockHolder, takeProcessLock, type ProcessLock } from './process-lock.ts';
export { guardedStore, openSqlite, type SqlStore } from './sqlite.ts';
export { databaseState, openToRead } from './sqlite-reader.ts';
export { addressById, readLinkById, rewriteLinks, type LinkById } from './markdown-links.ts';
export { createMarkdownParser, readReferences, type MarkdownToken } from './markdown-parser.ts';
export { depthFirst } from './depth-first.ts';
