// What people who have only the command line do to the platform: everything here is beside the API, and for its owner alone.
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import Type, { type Static, type TSchema } from 'typebox';
import { AppError, isoTime } from '../../base/index.ts';
import {
  ROLES,
  forbidden,
  notNow,
  Refusal,
  jsonAnswer,
  refusalAnswer,
  toResponse,
  type Answer,
} from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { PlatformPeople } from '../people.ts';
import { findOrganization } from '../store/people.ts';
import { authenticate } from './authenticate.ts';
import type { FaultInjector } from './fault-injector.ts';
import { readFaultPlan } from './fault-plan.ts';
import { parseJson } from './read-request.ts';
import type { RequestLog } from './request-log.ts';

export interface ControlParts {
  context: PlatformContext;
  requests: RequestLog;
  faults: FaultInjector;
  people: PlatformPeople;
  /** The owner's user id. */
  owner: string;
  /** Moves the platform's clock ahead; null when it was not started with a movable one. */
  advanceClock: ((ms: number) => void) | null;
}

const NewUser = Type.Object({
  displayName: Type.String({ minLength: 1, maxLength: 100 }),
  email: Type.String({ format: 'email' }),
  organization: Type.String({ minLength: 1 }),
  role: Type.Union([Type.Enum([...ROLES]), Type.Null()]),
});
/** Ten years: how far its clock is moved at once. */
export const MOST_CLOCK_SHIFT_MS = 10 * 366 * 24 * 3_600_000;
const ClockMove = Type.Object({ advanceMs: Type.Integer({ minimum: 0, maximum: MOST_CLOCK_SHIFT_MS }) });
const MAX_BODY_BYTES = 1024 * 1024;

/** Requests and counters, new users, the clock and the faults of a running platform. */
export function controlApp(parts: ControlParts): Hono {
  const { requests, faults, people, context } = parts;
  const checks = context.checks.schemas;
  const app = new Hono();
  const body = async <S extends TSchema>(c: Context, schema: S): Promise<Static<S>> => {
    const value = parseJson(await c.req.text());
    checks.demand(schema, value);
    return value as Static<S>;
  };
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.use(async (c, next) => {
    demandOwner(parts, c.req.header('authorization'));
    await next();
  });
  app.get('/requests', () => send(200, { total: requests.total(), items: requests.recent() }));
  app.get('/counters', () => send(200, { total: requests.total(), operations: requests.counts() }));
  app.delete('/requests', () => {
    requests.clear();
    return new Response(null, { status: 204 });
  });
  app.post('/users', async (c) => {
    const person = await body(c, NewUser);
    findOrganization(context, person.organization);
    return send(201, people.createUser(person));
  });
  app.get('/clock', () => send(200, { now: isoTime(context.clock.now()) }));
  app.post('/clock', async (c) => {
    const { advanceMs } = await body(c, ClockMove);
    if (!parts.advanceClock) throw notNow('The platform was not started with a clock that can be moved');
    parts.advanceClock(advanceMs);
    return send(200, { now: isoTime(context.clock.now()) });
  });
  app.get('/faults', () => send(200, faults.plan()));
  app.put('/faults', async (c) => {
    faults.setPlan(readFaultPlan(parseJson(await c.req.text())));
    return send(200, faults.plan());
  });
  app.all('*', (c) => toResponse(refusalAnswer(new Refusal(404, `There is no ${c.req.method} ${c.req.path}`)), {}));
  app.onError((error) => toResponse(answerError(context, error), {}));
  return app;
}

function demandOwner({ context, owner }: ControlParts, authorization: string | undefined): void {
  if (authenticate(context, authorization).id !== owner) throw forbidden('Only the owner of the platform may do this');
}

function send(status: number, value: unknown): Response {
  return toResponse(jsonAnswer(status, value), {});
}

function answerError(context: PlatformContext, error: unknown): Answer {
  if (error instanceof Refusal) return refusalAnswer(error);
  if (error instanceof AppError && error.code === 'DM_CONFIG_INVALID') {
    return refusalAnswer(new Refusal(400, error.message));
  }
  context.log.error({ err: error }, 'platform control request failed');
  return refusalAnswer(new Refusal(500, 'The platform failed'));
}
