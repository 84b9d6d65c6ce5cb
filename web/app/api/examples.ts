import type { ApiCall } from './api-call.ts'

/** Example path parameters and body of a call, to try it with. */
export interface Example {
  path?: Readonly<Record<string, string | number>>
  body?: Readonly<Record<string, unknown>>
}

/**
 * The examples of the reference work on an installation with the demo data; staff calls run as its publisher, whose id is 3 and whose first
 * title is number 1. A test runs each.
 */
export function exampleOf(name: string, call: ApiCall): Example {
  const isSafe = call.method === 'GET' && !call.changes
  const inPath: Record<string, string | number> = isSafe ? { ...demoValues, ...pathValues[name] } : {}
  const path = Object.entries(inPath).filter(([value]) => value in (call.params ?? {}))
  return { path: Object.fromEntries(path), ...(bodies[name] ? { body: bodies[name] } : {}) }
}

const demoValues = {
  publicationId: 1,
  publicationID: 1,
  pubId: 1,
  publisherId: 3,
  userId: 3,
  readerId: 1,
  urlKey: 'harbour-light',
  email: 'somebody@example.org',
  postcode: 'SW1A 1AA',
}

/** Path parameters by call, in addition to `demoValues` or instead of them. */
const pathValues: Readonly<Record<string, Record<string, string | number>>> = {
  'GET /users/userKey/{id}': { id: 3 },
  'GET /users/{id}': { id: 3 },
  'GET /users/storefront/{id}': { id: 3 },
  'GET /publication/totalpublications/{id}': { id: 3 },
  'GET /publication/getpublication/{id}': { id: 1 },
  'GET /publication/checkurlkey/{urlKey}': { urlKey: 'quayside' },
  'GET /publication/paypaldetails/{id}': { id: 1 },
  'GET /publication/promo/{id}': { id: 1 },
  'GET /publication/promo/getpromodets/{id}': { id: 1 },
  'GET /order/order/{id}': { id: 1 },
  'GET /order/totalorders/{id}': { id: 3 },
  'GET /backIssue/getbackIssue/{id}': { id: 1 },
}

const password = 'masthead'

const bodies: Readonly<Record<string, Example['body']>> = {
  'POST /users/login': { email: 'publisher@demo.masthead.test', password },
  'POST /order/buyerlogin': { email: 'reader@demo.masthead.test', password, publicationID: 1 },
  'POST /subscriber/search': { publicationID: 1, q: 'mason' },
  'POST /subscriber': {
    publicationID: 1,
    firstName: 'Ann',
    lastName: 'Lathe',
    email: 'ann.lathe@example.org',
    addressOne: '1 Harbour Row',
    city: 'Falmouth',
    postZip: 'TR11 3LH',
  },
  'POST /order/createOrder': {
    urlKey: 'harbour-light',
    checkboxSelection: '1PN54.00',
    country: 'GB',
    idempotencyKey: 'order-7f3c1a90d2e84b11',
    firstName: 'Ann',
    lastName: 'Lathe',
    email: 'ann@example.org',
    password: 'a new password',
    billingAddressOne: '1 Harbour Row',
    billingCity: 'Falmouth',
    billingPostcode: 'TR11 3LH',
    deliveryCheckbox: true,
    cardNumber: '4242 4242 4242 4242',
  },
}
