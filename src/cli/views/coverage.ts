import type { Coverage } from '../../contract/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';

export function coverageView(operations: readonly Coverage[], look: Look): string {
  const rows = table(
    operations,
    [
      { title: 'read', value: ({ path }) => `GET ${path}` },
      { title: 'is', value: ({ is }) => is },
      { title: 'as', value: ({ kinds }) => kinds.join(', ') },
      { title: 'why', value: ({ why }) => why ?? '' },
    ],
    look,
  );
  const number = (is: Coverage['is']): number => operations.filter((one) => one.is === is).length;
  const sum = `${number('mirrored')} mirrored, ${number('derived')} derived, ${number('not mirrored')} not mirrored`;
  return `${rows}\n\n${operations.length} reads: ${sum}`;
}
