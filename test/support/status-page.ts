// The status page of a command that runs, as a browser or a script asks for it.

/** What an address answers. */
export async function bodyOf(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

/** The address that a command tells when its page is up; empty before. */
export function addressIn(text: string): string {
  return /Status page\s+(http:\S+)/.exec(text)?.[1] ?? '';
}

/** A page whose commands can be copied from its HTML: their flags stand in marks of their own. */
export function withoutFlagMarks(html: string): string {
  return html.replaceAll(/<span class="flag">([^<]*)<\/span>/g, '$1');
}
