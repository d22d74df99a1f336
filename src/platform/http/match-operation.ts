import { anyOperationNames, operationOf, type AnyOperationName } from '../../contract/index.ts';

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
  method: string;
  parts: string[];
}

/** Matches by the contract's paths; where two fit, the one declared first wins (`latest` before `{versionId}`). */
export function createMatcher(): OperationMatcher {
  const byLength = new Map<number, Route[]>();
  for (const name of anyOperationNames) {
    const { method, path } = operationOf(name);
    const parts = path.split('/');
    byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), { name, method, parts }]);
  }
  const candidates = (parts: string[]): Route[] =>
    (byLength.get(parts.length) ?? []).filter((route) => fits(route.parts, parts));
  return {
    match: (method, path) => {
      const parts = path.split('/');
      const route = candidates(parts).find((candidate) => candidate.method === method);
      return route ? { name: route.name, path: parameters(route.parts, parts) } : null;
    },
    methods: (path) => candidates(path.split('/')).map((route) => route.method),
  };
}

function fits(template: string[], parts: string[]): boolean {
  return template.every((part, i) => (part.startsWith('{') ? parts[i] !== '' : part === parts[i]));
}

function parameters(template: string[], parts: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  template.forEach((part, i) => {
    if (part.startsWith('{')) found[part.slice(1, -1)] = decode(parts[i] ?? '');
  });
  return found;
}

// Text that is not well encoded names nothing, which the lookup will say.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
