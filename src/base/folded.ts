/** Text as filters compare it: in any case, however its accents are encoded. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Words as the full-text index has them: in any case, without accents. */
export function asIndexed(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
