import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Paths of everything in a folder that is no folder itself, joined by `/` and relative to it. Links are not followed.
 * Node 20's own recursive reading leaves entries out when there are many folders.
 */
export async function* walkFiles(root: string): AsyncGenerator<string> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root, folder))) {
      if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`);
      else yield folder + entry.name;
    }
  }
}
