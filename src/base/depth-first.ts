/** Each before what stands below it, in the order given; on any level, which a function that calls itself has no stack for. */
export function depthFirst<One>(roots: readonly One[], below: (one: One) => readonly One[]): One[] {
  const found: One[] = [];
  const waiting = roots.toReversed();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    found.push(one);
    for (const inner of below(one).toReversed()) waiting.push(inner);
  }
  return found;
}
