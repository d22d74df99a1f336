/** A request that the platform refuses: the status and the text of the error body. Not a fault of the program. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** 400: the request itself is wrong; `field` is the path of the field that is. */
export function invalid(field: string, problem: string): Refusal {
  return new Refusal(400, `${field}: ${problem}`);
}

/** 403: the caller is known and lacks the right. */
export function forbidden(message: string): Refusal {
  return new Refusal(403, message);
}

/** 404: it does not exist, or the caller must not know that it does. */
export function notFound(what: string, id: string): Refusal {
  return new Refusal(404, `${what} ${id} does not exist`);
}

/** 409: it would change nothing, or contradicts what is there. */
export function conflict(message: string): Refusal {
  return new Refusal(409, message);
}

/** 412: not possible in the present state. */
export function notNow(message: string): Refusal {
  return new Refusal(412, message);
}
