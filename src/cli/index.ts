/** The command line: argv -> one command -> exit code. Nothing imports this room but main.ts. */
export { run } from './run.ts';
