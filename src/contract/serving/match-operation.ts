import { anyOperationNames, operationOf, pathParameters, type AnyOperationName } from '../operations/index.ts';

/** The operation that a request names, with its path parameters decoded. */
export interface OperationMatch {
  name: AnyOperationName;
  path: Readonly<Record<string, string>>;
}

export interface OperationMatcher {
  match(method: string, path: string): OperationMatch | null;
  /** Methods that the path knows; none for a path that the contract does not have. */
  methods(path: string): string[];
}

interface Route {
  name: AnyOperationName;
  /** Names of the path parameters in order. */
  parameters: readonly string[];
}

/** One part of a path, and what may follow. */
interface Step {
  literals: Map<string, Step>;
  /** Any part that is not empty. */
  parameter: Step | null;
  routes: Map<string, Route>;
}

/** Matches by the contract's paths; where two fit, a literal part goes before a parameter (`latest` before `{versionId}`). */
export function createMatcher(): OperationMatcher {
  const root = emptyStep();
  for (const name of anyOperationNames) {
    const { method, path } = operationOf(name);
    stepFor(root, path).routes.set(method, { name, parameters: pathParameters(path) });
  }
  return {
    match: (method, path) => {
      let match: OperationMatch | null = null;
      walk(root, path, (routes, texts) => {
        const route = routes.get(method);
        if (route) match = { name: route.name, path: named(route.parameters, texts) };
        return route !== undefined;
      });
      return match;
    },
    methods: (path) => {
      const found = new Set<string>();
      walk(root, path, (routes) => {
        for (const method of routes.keys()) found.add(method);
        if (routes.has('GET')) found.add('HEAD');
        return false;
      });
      return [...found];
    },
  };
}

function emptyStep(): Step {
  return { literals: new Map(), parameter: null, routes: new Map() };
}

function stepFor(root: Step, path: string): Step {
  let step = root;
  for (const part of path.split('/')) {
    if (part.startsWith('{')) step = step.parameter ??= emptyStep();
    else {
      const next = step.literals.get(part) ?? emptyStep();
      step.literals.set(part, next);
      step = next;
    }
  }
  return step;
}

/** Shows every end that the path fits, with the texts that stand for parameters, until one is accepted. */
function walk(
  root: Step,
  path: string,
  accept: (routes: ReadonlyMap<string, Route>, texts: readonly string[]) => boolean,
): void {
  const parts = path.split('/');
  const texts: string[] = [];
  const visit = (step: Step, at: number): boolean => {
    const part = parts[at];
    if (part === undefined) return step.routes.size > 0 && accept(step.routes, texts);
    const literal = step.literals.get(part);
    if (literal && visit(literal, at + 1)) return true;
    if (!step.parameter || part === '') return false;
    texts.push(part);
    if (visit(step.parameter, at + 1)) return true;
    texts.pop();
    return false;
  };
  visit(root, 0);
}

function named(parameters: readonly string[], texts: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  parameters.forEach((name, i) => (found[name] = decode(texts[i] ?? '')));
  return found;
}

// Text that is not well encoded names nothing, which the lookup will say.
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
