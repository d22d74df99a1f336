/** Text as filters compare it: in any case, however its accents are encoded. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
