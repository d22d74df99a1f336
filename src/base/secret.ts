import { inspect } from 'node:util';

const SHOWN = '[secret]';

/** A value that prints as `[secret]` wherever it ends up: string, JSON, log, inspection. Only `reveal()` gives it. */
export class Secret {
  readonly #value: string;

  private constructor(value: string) {
    this.#value = value;
  }

  static of(value: string): Secret {
    return new Secret(value);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
