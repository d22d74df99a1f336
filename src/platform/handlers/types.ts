import type { AnswerOf, AnyOperationName, BodyOf, PathOf, ReadQueryOf } from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import type { PlatformContext } from '../context.ts';

/** A request as a handler gets it: matched, authorized, and every part valid by the contract. */
export interface HandlerRequest<N extends AnyOperationName> {
  readonly path: PathOf<N>;
  readonly query: ReadQueryOf<N>;
  readonly body: BodyOf<N>;
  readonly caller: Caller;
}

/** Runs in one transaction of its own, which a thrown Refusal rolls back. */
export type Handler<N extends AnyOperationName> = (
  context: PlatformContext,
  request: HandlerRequest<N>,
) => AnswerOf<N> | Created<AnswerOf<N>>;

/** Waits for the network; opens its own transactions around what it writes. */
export type LongHandler<N extends AnyOperationName> = (
  context: PlatformContext,
  request: HandlerRequest<N>,
) => Promise<AnswerOf<N>>;

/** Some of them; what all of them are is asked for where they come together. */
export type Handlers = { readonly [N in AnyOperationName]?: Handler<N> };
export type LongHandlers = { readonly [N in AnyOperationName]?: LongHandler<N> };

/** An answer with a status other than the usual one of its operation, where the contract names two. */
export class Created<Answer> {
  readonly status = 201;
  readonly body: Answer;

  constructor(body: Answer) {
    this.body = body;
  }
}
