import { randomBytes } from 'node:crypto'

export type Fields = Record<string, unknown>

/** An error in Stripe's format. */
export class StripeApiError extends Error {
  readonly status: number
  readonly body: Fields
  constructor(status: number, body: Fields) {
    super(String(body.message))
    this.status = status
    this.body = { type: 'invalid_request_error', ...body }
  }
}

export const missing = (kind: string, id: string) =>
  new StripeApiError(404, { code: 'resource_missing', message: `No such ${kind}: '${id}'` })

/** The state of the fake Stripe. */
export interface StripeStore {
  /** The objects by id. Change one to change the responses. */
  objects: Map<string, Fields>
  coupons: Map<string, Fields>
  /** The typed details of payment methods: never returned. */
  secrets: Map<string, Fields>
  /** The result of refunds by the API: succeeded or pending. */
  refundsAs: string
  /** The current time at Stripe. */
  now(): Date
  create(prefix: string, fields: Fields): Fields
  find(kind: string, id: unknown): Fields
}

/** One received call. `isBrowser`: with the publishable key, as Stripe.js calls. */
interface StripeRequest {
  store: StripeStore
  id: string
  body: Fields
  isBrowser: boolean
}

/** The API's calls by "METHOD kind/id/verb". Parameters not named in `params` are refused by name. */
export type StripeCalls = Record<
  string,
  { params?: readonly string[]; forBrowser?: true; run(request: StripeRequest): Fields }
>

/** An empty store. Ids are as long and as unguessable as Stripe's, so that they are unique across every server of a test. */
export function createStore(): StripeStore {
  const objects: StripeStore['objects'] = new Map()
  return {
    objects,
    coupons: new Map(),
    secrets: new Map(),
    refundsAs: 'succeeded',
    now: () => new Date(),
    create(prefix, fields) {
      const id = typeof fields.id === 'string' ? fields.id : `${prefix}_${randomBytes(9).toString('hex')}`
      const object = { ...fields, id }
      objects.set(id, object)
      return object
    },
    find(kind, id) {
      const object = objects.get(String(id))
      if (!object) throw missing(kind, String(id))
      return object
    },
  }
}

/** A list parameter: Stripe's form encoding makes an object of it. */
export function listOf(value: unknown): string[] {
  return Object.values((value ?? {}) as Record<string, string>)
}
