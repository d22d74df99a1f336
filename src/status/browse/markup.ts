// HTML as text. Every word that comes from outside goes through `escaped`, every attribute through `tag`.

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** `true` stands without a value; `false` and null are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element around HTML that is safe already. */
export function tag(name: string, attributes: Attributes, inner: string): string {
  return `${openTag(name, attributes)}${inner}</${name}>`;
}

/** An element that holds nothing. */
export function openTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === false) return [];
    return [value === true ? ` ${key}` : ` ${key}="${escaped(String(value))}"`];
  });
  return `<${name}${written.join('')}>`;
}
