import type { AddressInfo } from 'node:net'
import express from 'express'
import { visitor } from '#core/access/actor.ts'
import { partnerScopes } from '#core/access/permissions.ts'
import { type UserType, userTypes } from '#core/access/user-types.ts'
import { issueBuyerToken } from '#core/buyers/issue-buyer-token.ts'
import { contextFor, type Services } from '#core/context.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { addApiKey } from '#core/partners/add-api-key.ts'
import type { Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { PublisherSenders } from '#core/senders/publisher-senders.rows.ts'
import { issueApiToken } from '#core/users/api-token.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { actorOf, makeBackIssue, makePromo, makePublication, makeUser } from '#tests/support/factories.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { apiTables } from '#web/app/api/api-tables.ts'
import { apiRouter } from '#web/app/api/router.ts'
import { handlers } from '#worker/handlers/index.ts'

/** A publisher with everything a call may need. Each of its texts contains its marker, so that another tenant's data is recognised. */
export interface Tenant {
  marker: string
  publisherId: number
  publicationId: number
  urlKey: string
  orderId: number
  promoId: number
  backIssueId: number
}

export interface ApiFixture {
  services: TestServices
  stripe: StripeServer
  url: string
  mine: Tenant
  theirs: Tenant
  /** A live token of each role; the publisher's staff and the buyer belong to `mine`. */
  tokens: Record<UserType | 'buyer' | 'partner', string>
}

export const allCalls: { name: string; call: ApiCall }[] = apiTables.flatMap(({ prefix, calls }) =>
  calls.map((call) => ({ name: `${call.method} /${prefix}${call.path}`, call })),
)

/** Serves the API alone on a free port, until the test file is done. */
export async function serveApi(services: Services): Promise<string> {
  const app = express()
  app.use('/api', apiRouter(services))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atFileEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

export async function openApiFixture(dialect?: 'sqlite' | 'postgres'): Promise<ApiFixture> {
  const stripe = await startStripeServer()
  const services = await openTestServices({ STRIPE_API_BASE: stripe.url, MAIL_DNS: await startDnsServer({}) }, dialect)
  const url = await serveApi(services)
  // The response to an import is sent once the worker has finished it.
  const loop = startEmbeddedWorker(services, handlers, 20)
  atFileEnd(() => loop.stop())
  const mine = await makeTenant(services, 'Mackerel')
  const theirs = await makeTenant(services, 'Zebrawood')
  const tokens: Partial<ApiFixture['tokens']> = {}
  for (const userType of userTypes) {
    const email = `${userType}@mackerel.test`
    if (userType !== 'publisher') {
      await makeUser(services, {
        userType,
        email,
        ...(['pubadmin', 'admin', 'mailer'].includes(userType) ? { parentPublisherId: mine.publisherId } : {}),
      })
    }
    const loginPage = userType === 'superuser' ? 'super' : 'staff'
    tokens[userType] = (await issueApiToken(services.as(visitor), { email, password: 'masthead', loginPage })).token
  }
  tokens.buyer = await buyerTokenOf(services, mine)
  tokens.partner = await partnerKeyOf(services, mine)
  return { services, stripe, url, mine, theirs, tokens: tokens as ApiFixture['tokens'] }
}

/** A key of a tenant's publication with all scopes. */
async function partnerKeyOf(services: TestServices, { publisherId, publicationId }: Tenant): Promise<string> {
  const publisher = services.as(await actorOf(services, 'publisher', publisherId))
  const name = `Everything ${Math.random().toString(36).slice(2)}`
  return (await addApiKey(publisher, { publicationId, name, scopes: [...partnerScopes] })).key
}

/** A token of the reader who placed a tenant's first order. */
export async function buyerTokenOf(services: TestServices, { marker, publicationId }: Tenant): Promise<string> {
  const email = `ida@${marker.toLowerCase()}.test`
  const visiting = services.as(visitor)
  return (await issueBuyerToken(visiting, { email, password: 'sesame-street', publicationId })).token
}

/** A tenant's own sender, unconfirmed. Its domain is in the audit log, and therefore without the tenant's marker. */
export const senderOf = (marker: string) => ({
  senderName: `${marker} Press`,
  address: 'readers@quay.example',
  replyTo: `help@${marker.toLowerCase()}.example`,
})

/** A publisher with a title, a price, a sender and one paid order. */
export async function makeTenant(services: Running, marker: string): Promise<Tenant> {
  const lower = marker.toLowerCase()
  const publisher = await makeUser(services, { email: `publisher@${lower}.test`, lastName: marker })
  await services.db.run(`UPDATE accounts SET number_of_publications = 50 WHERE user_id = :id`, { id: publisher.id })
  const publication = await makePublication(services, {
    publisherId: publisher.id,
    publicationName: `${marker} Monthly`,
    urlKey: `${lower}-monthly`,
    sellsBackIssues: true,
  })
  await services.db.run(
    `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount) VALUES (:id, 'print', 12, 'UK', :no, 4500)`,
    { id: publication.id, no: false },
  )
  await PublisherSenders.insert(services, { publisherId: publisher.id, ...senderOf(marker), domain: 'quay.example' })
  const order = await placeOrder(contextFor(services, visitor, { entryPoint: 'test' }), orderOf(marker))
  return {
    marker,
    publisherId: publisher.id,
    publicationId: publication.id,
    urlKey: publication.urlKey,
    orderId: order.orderId,
    promoId: await makePromo(services, publication.id, `${marker}-SAVER`),
    backIssueId: (await makeBackIssue(services, publication.id, { volume: `${marker} in winter` })).id,
  }
}

function orderOf(marker: string) {
  const lower = marker.toLowerCase()
  return {
    urlKey: `${lower}-monthly`,
    plan: '1PN45.00',
    country: 'GB',
    idempotencyKey: `first-order-of-${lower}`,
    firstName: 'Ida',
    lastName: marker,
    email: `ida@${lower}.test`,
    password: 'sesame-street',
    billing: { addressOne: `1 ${marker} Row`, city: 'Falmouth', postCode: 'TR11 3LH' },
    payment: { provider: 'demo', details: { cardNumber: '4242424242424242' } },
  }
}

/** The wire body of a new order at a tenant. */
export function newOrderBody({ marker, urlKey }: Tenant, idempotencyKey: string): Record<string, unknown> {
  return {
    urlKey,
    checkboxSelection: '1PN45.00',
    country: 'GB',
    idempotencyKey,
    firstName: 'Nell',
    lastName: marker,
    email: `${idempotencyKey}@example.test`,
    password: 'sesame-street',
    billingAddressOne: '2 Quay Street',
    billingCity: 'Falmouth',
    billingPostcode: 'TR11 3LH',
    deliveryCheckbox: true,
    cardNumber: '4242 4242 4242 4242',
  }
}

/** The wire body of a new order of a copy of its back issue. */
export function newIssueOrderBody(tenant: Tenant, idempotencyKey: string): Record<string, unknown> {
  const { checkboxSelection: _, ...body } = newOrderBody(tenant, idempotencyKey)
  return { ...body, backIssues: [tenant.backIssueId] }
}

/** A call with the ids of a tenant in its path, or the `values` that are given for it. */
export function pathTo(
  { call, name }: { call: ApiCall; name: string },
  tenant: Tenant,
  values: Record<string, string> = {},
): string {
  const path = name.slice(call.method.length + 1)
  return path.replaceAll(/\{(\w+)\}/g, (_, param: string) => {
    const kind = call.params?.[param]
    if (values[param] !== undefined) return encodeURIComponent(values[param])
    if (kind?.is === 'own') return String(tenant.publisherId)
    if (kind?.is === 'text') return tenant.urlKey
    return String(kind?.field === 'publicationId' ? tenant.publicationId : tenant.orderId)
  })
}

export async function callApi(
  fixture: Pick<ApiFixture, 'url'>,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${fixture.url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
  })
}
