import { shellWord } from '../../base/index.ts';
import { pathFromHere } from './path.ts';

/** What leads any command to the demonstration's platform. */
export function demoFlags({ url, tokenFile }: { url: string; tokenFile: string }): string {
  return `--base-url ${url} --token-file ${shellWord(pathFromHere(tokenFile))}`;
}
