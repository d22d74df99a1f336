// Content for an embedded platform: real documentation to look at, or any amount of generated text to measure with.
export { seedDemo } from './demo/demo.ts';
export { MOST_SCALE_PAGES, seedScale, type ScaleOptions } from './scale.ts';
export type { SeedOptions, SeedProgress, SeedResult, SeedTarget } from './target.ts';
