import { randomBytes } from 'node:crypto'

export type Fields = Record<string, unknown>

/** An error as Stripe answers it. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Fields
  constructor(status: number, body: Fields) {
    super(String(body.message))
    this.status = status
    this.body = { type: 'invalid_request_error', ...body }
  }
}

export const missing = (what: string, id: string) =>
  new Refusal(404, { code: 'resource_missing', message: `No such ${what}: '${id}'` })

/** What the stand-in Stripe knows. */
export interface StripeBook {
  /** By id. Change what is here to change what is answered. */
  objects: Map<string, Fields>
  coupons: Map<string, Fields>
  /** What was typed into a payment method's fields: never answered. */
  secrets: Map<string, Fields>
  /** What refunds by the API come out as: succeeded or pending. */
  refundsAs: string
  /** What time it is at Stripe. */
  now(): Date
  keep(prefix: string, fields: Fields): Fields
  find(what: string, id: unknown): Fields
}

/** One call as it came. `isBrowser`: with the publishable key, as Stripe.js calls. */
interface StripeAsking {
  book: StripeBook
  id: string
  body: Fields
  isBrowser: boolean
}

/** The calls of the API by "METHOD kind/id/verb". Parameters that are not named in `takes` are refused by name. */
export type StripeCalls = Record<
  string,
  { takes?: readonly string[]; forBrowser?: true; run(asking: StripeAsking): Fields }
>

/** An empty book. Ids are as long and as unguessable as Stripe's, so that they are unique across every server of a test. */
export function openBook(): StripeBook {
  const objects: StripeBook['objects'] = new Map()
  return {
    objects,
    coupons: new Map(),
    secrets: new Map(),
    refundsAs: 'succeeded',
    now: () => new Date(),
    keep(prefix, fields) {
      const id = typeof fields.id === 'string' ? fields.id : `${prefix}_${randomBytes(9).toString('hex')}`
      const object = { ...fields, id }
      objects.set(id, object)
      return object
    },
    find(what, id) {
      const object = objects.get(String(id))
      if (!object) throw missing(what, String(id))
      return object
    },
  }
}

/** A list parameter: Stripe's form encoding makes an object of it. */
export function listOf(value: unknown): string[] {
  return Object.values((value ?? {}) as Record<string, string>)
}
