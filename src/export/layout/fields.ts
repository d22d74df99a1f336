import type { Resource } from '../../mirror/index.ts';

/** A field of a body as text: '' when it is not there or is neither text nor number. */
export function textField(body: Resource['body'], field: string): string {
  const value = body[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
