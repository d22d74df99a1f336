// As much of a Dockerfile as can be followed without an engine.

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

export function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile.split('\n').filter((line) => !/^\s*#/.test(line));
  const logical = lines
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim());
  const stages: { image: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of logical.filter((one) => one !== '')) {
    const [name = '', ...rest] = line.split(/\s+/);
    const text = line.slice(name.length).trim();
    if (name === 'FROM') stages.push({ image: rest[0] ?? '', name: rest[2] ?? null, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

export function textsOf(stage: Stage | undefined, name: string): string[] {
  return (stage?.instructions ?? []).filter((one) => one.name === name).map(({ text }) => text);
}

/** The commands of all RUN instructions, one by one. */
export function commandsOf(stage: Stage | undefined): string[] {
  return textsOf(stage, 'RUN').flatMap((text) => text.split('&&').map((command) => command.trim()));
}

/** Sources of COPY; of this folder, or of another stage. */
export function copiesOf(stage: Stage | undefined): { from: string | null; sources: string[]; to: string }[] {
  return textsOf(stage, 'COPY').map((text) => {
    const words = text.split(/\s+/);
    const flag = words.find((word) => word.startsWith('--from='));
    const paths = words.filter((word) => !word.startsWith('--'));
    return { from: flag?.slice('--from='.length) ?? null, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' };
  });
}

export function environmentOf(stage: Stage | undefined): Record<string, string> {
  const pairs = textsOf(stage, 'ENV').flatMap((text) => text.split(/\s+/).map((pair) => pair.split('=')));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** The words of an instruction in its exec form. */
export function wordsOf(text: string | undefined): string[] {
  return JSON.parse((text ?? '[]').slice((text ?? '[]').indexOf('['))) as string[];
}
