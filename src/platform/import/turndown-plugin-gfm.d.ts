// The package brings no types.
declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown';
  /** Tables, strikethrough and task lists. */
  export const gfm: TurndownService.Plugin;
}
