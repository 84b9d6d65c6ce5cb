import { createHash } from 'node:crypto'
import { visitor } from '#core/access/actor.ts'
import { recordDeliveryEvent } from '#core/bounces/record-delivery-event.ts'
import { makeBuyerLink } from '#core/buyers/buyer-link.ts'
import { getCaptcha } from '#core/contact/get-captcha.query.ts'
import { Emails } from '#core/emails/emails.rows.ts'
import { authorizeApp } from '#core/partners/authorize.ts'
import { addPartnerApp, listPartnerApps } from '#core/partners/change-partner-apps.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { makePasswordLink } from '#core/users/password-link.ts'
import { addWebhook, pauseWebhook } from '#core/webhooks/change-webhooks.ts'
import { queueWebhooks } from '#core/webhooks/queue-webhooks.ts'
import { giveUpDeliveries } from '#core/webhooks/webhook-deliveries.rows.ts'
import { encodeCaptcha, solveCaptcha } from '#tests/support/captcha.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { mailSender } from '#tests/support/emails.ts'
import {
  actorOf,
  makeBackIssue,
  makeBuyer,
  makePromo,
  makePublication,
  makeUser,
  system,
} from '#tests/support/factories.ts'
import { imageForm, pngOf } from '#tests/support/pictures.ts'
import { makeReader } from '#tests/support/readers.ts'
import { plannedReminder } from '#tests/support/series.ts'
import { callApi, newIssueOrderBody, newOrderBody, senderOf } from './api-fixture.ts'
import { type CallSample, madeFor, type SampleRequest, unknownId } from './call-sample.ts'
import { subscriberSamples } from './subscriber-samples.ts'

/** A new member of the tenant's staff; for the tenant that does not exist, an unknown id. */
async function someStaff({ fixture, tenant, tag }: SampleRequest): Promise<number> {
  if (tenant.publisherId === unknownId) return unknownId
  const user = await makeUser(fixture.services, {
    userType: 'mailer',
    email: `staff-${tag}-${Math.random().toString(36).slice(2)}@${tenant.marker}.test`,
    lastName: tenant.marker,
    parentPublisherId: tenant.publisherId,
  })
  return user.id
}

/** A paid order of a copy of the tenant's back issue. */
async function someOrderToPost(request: SampleRequest): Promise<unknown> {
  const orderId = await madeFor(request, async ({ fixture, tenant, tag }) => {
    const issue = await makeBackIssue(fixture.services, tenant.publicationId, { stock: null })
    const key = `posted-${tag}-${Math.random().toString(36).slice(2)}`
    const body = { ...newIssueOrderBody(tenant, key), backIssues: [issue.id] }
    const response = await callApi(fixture, 'POST', '/order/createBackIssueOrder', { body })
    const { orderNumber } = (await response.json()) as { orderNumber: string }
    const [order] = await fixture.services.db.query<{ id: number }>(
      'SELECT id FROM orders WHERE order_number = :orderNumber',
      { orderNumber },
    )
    return order?.id ?? unknownId
  })
  return { orderIds: [orderId] }
}

function newSignUpBody(tag: string): Record<string, unknown> {
  return { plan_type: 'standard-3', email: `${tag}@example.test`, username: 'Nell Press', price_type: 'VAT' }
}

function newRegistrationBody(tag: string): Record<string, unknown> {
  const email = `${tag}@example.test`
  const password = 'sesame-street'
  return { firstName: 'Nell', lastName: 'Press', email, password, password2: password, country: 'GB', companyName: tag }
}

/** The registration of a sign-up whose payment the demo provider has accepted. */
async function paidRegistrationBody({ fixture, tag }: SampleRequest): Promise<unknown> {
  const email = `paid-${tag}@example.test`
  const started = await startSignup(fixture.services.as(visitor), {
    planKey: 'standard-3',
    email,
    name: 'Nell Press',
    priceType: 'VAT',
  })
  return { ...newRegistrationBody(`paid-${tag}`), planType: 'standard-3', paymentIntentId: started.paymentIntentId }
}

/** The fields that an app sends to exchange the code of a new log-in. */
async function freshCode({ fixture: { services }, tenant }: SampleRequest): Promise<Record<string, string>> {
  const { publicationId, publisherId } = tenant
  const redirect_uri = 'https://app.example.com/back'
  const code_verifier = 'only-the-app-knows-this-verifier-0123456789abc'
  const publisher = services.as(await actorOf(services, 'publisher', publisherId))
  const [existing] = await listPartnerApps(publisher, { publicationId })
  const app = existing ?? (await addPartnerApp(publisher, { publicationId, name: 'App', redirectUris: redirect_uri }))
  const buyer = await makeBuyer(services, publicationId)
  const { returnTo } = await authorizeApp(services.as(buyer.actor), {
    client_id: [app.clientId],
    redirect_uri: [redirect_uri],
    response_type: ['code'],
    code_challenge: [createHash('sha256').update(code_verifier).digest('base64url')],
    code_challenge_method: ['S256'],
  })
  const code = new URL(returnTo).searchParams.get('code') ?? ''
  return { grant_type: 'authorization_code', client_id: app.clientId, code, redirect_uri, code_verifier }
}

/** The token of a reset link that was just emailed to a user. */
async function freshToken({ fixture }: SampleRequest): Promise<string> {
  const user = await makeUser(fixture.services)
  const resetLink = await makePasswordLink(fixture.services.as(system), user.id, 'reset')
  return resetLink?.url.split('/').at(-1) ?? ''
}

/** The token of a reset link that was just emailed to a reader. */
async function freshBuyerToken({ fixture, tenant }: SampleRequest): Promise<string> {
  const buyer = await makeBuyer(fixture.services, tenant.publicationId)
  const resetLink = await makeBuyerLink(fixture.services.as(system), buyer.id)
  return resetLink?.url.split('/').at(-1) ?? ''
}

const newStaff = async (request: SampleRequest) => String(await someStaff(request))

const publisherIdOf = ({ tenant }: SampleRequest) => String(tenant.publisherId)

/** The fixture's reseller has no publishers: another tenant's reseller is looked up under that tenant's publisher. */
async function someReseller({ fixture, tenant }: SampleRequest): Promise<string> {
  if (tenant !== fixture.mine) return String(tenant.publisherId)
  const [reseller] = await fixture.services.db.query<{ id: number }>(
    `SELECT id FROM users WHERE email_key = 'reseller@mackerel.test'`,
  )
  return String(reseller?.id)
}

/** The tenants belong to no reseller, so a reseller does not find them. */
const notOfReseller = { reseller: 404 }

/** A logged-in buyer cannot order under another email. */
const onlyOwnEmail = { buyer: 422 }

/** An order paid by Stripe, at a tenant that has Stripe keys. */
async function stripeOrderBody({ fixture, tenant, tag }: SampleRequest): Promise<Record<string, unknown>> {
  const { publishableKey, secretKey, webhookSecret } = fixture.stripe
  const { publisherId } = tenant
  await connectPayee(fixture.services, publisherId, 'stripeDets', { publishableKey, secretKey, webhookSecret })
  await fixture.services.db.run(`UPDATE accounts SET direct_debit_option = 'stripe' WHERE user_id = :publisherId`, {
    publisherId,
  })
  // Every role of every tenant orders from one address: more than the limit in a quarter of an hour.
  await fixture.services.db.run(`DELETE FROM rate_limits WHERE limit_key LIKE 'order-from:%'`)
  // The browser's key is ignored.
  const ignored = { secret_key: 'sk_test_of_somebody_else' }
  return { ...newOrderBody(tenant, `matrix-stripe-${tag}-${Math.random().toString(36).slice(2)}`), ...ignored }
}

/** The number and the key of an order waiting for its payment. */
async function somePendingOrder(request: SampleRequest): Promise<Record<string, unknown>> {
  const response = await callApi(request.fixture, 'POST', '/order/paymentintent/card/', {
    body: await stripeOrderBody(request),
  })
  const { orderNumber, key } = (await response.json()) as { orderNumber: string; key: string }
  return { orderNumber, key }
}

function newStaffBody(tag: string): Record<string, unknown> {
  return {
    firstName: 'Nell',
    lastName: 'Gwynne',
    email: `${tag}-${Math.random().toString(36).slice(2)}@example.test`,
    companyName: '',
  }
}

const publicationIdOf = ({ tenant }: SampleRequest) => String(tenant.publicationId)
const picture = async () => imageForm(await pngOf(300, 400))

/** A new publication of the tenant; for the tenant that does not exist, an unknown id. */
async function somePublication({ fixture, tenant, tag }: SampleRequest): Promise<number> {
  if (tenant.publisherId === unknownId) return unknownId
  const publication = await makePublication(fixture.services, {
    publisherId: tenant.publisherId,
    publicationName: tenant.marker,
    urlKey: `${tenant.marker}-${tag}-${Math.random().toString(36).slice(2)}`,
  })
  return publication.id
}

const backIssueIdOf = ({ tenant }: SampleRequest) => String(tenant.backIssueId)

/** A new back issue of the tenant; for the tenant that does not exist, an unknown id. */
async function someBackIssue({ fixture, tenant }: SampleRequest): Promise<number> {
  if (tenant.publisherId === unknownId) return unknownId
  return (await makeBackIssue(fixture.services, tenant.publicationId, { volume: `${tenant.marker} in spring` })).id
}

function newPublicationBody(tag: string): Record<string, unknown> {
  return {
    publicationName: 'The Gardener',
    publicationPerYear: 10,
    urlKey: `gardener-${tag}`,
    emailAddress: 'hello@example.test',
    orderEmailAddress: 'orders@example.test',
    printPriceOneYear: '29.99',
  }
}

function newPromoBody(code: string): Record<string, unknown> {
  return {
    code,
    name: code,
    discount: 10,
    added: '',
    uses: 0,
    endDate: '31-12-2026',
    applicableProducts: { print: { priceOneYear: true, priceSixMonths: false, priceThreeMonths: false } },
  }
}

/** A promo code to delete; for the tenant that does not exist, an unknown id. */
async function somePromo({ fixture, tenant, tag }: SampleRequest): Promise<number> {
  if (tenant.publicationId === unknownId) return unknownId
  return makePromo(fixture.services, tenant.publicationId, `GONE-${tag}`)
}

/** An email sent to a reader of the tenant; for the tenant that does not exist, an unknown id. */
function someMail(request: SampleRequest): Promise<number> {
  return madeFor(request, async ({ fixture: { services }, tenant: { publicationId } }) => {
    const fields = { email: 'ida@example.test', subType: 'print', subEndOn: '2027-01-31' } as const
    const readerId = await makeReader(services, publicationId, fields)
    const { about, emailKey } = await plannedReminder(services, readerId, fields.subEndOn)
    await mailSender('renewal-reminder')(services.as(system), about)
    const row = await Emails.find(services, { emailKey })
    return row?.id ?? unknownId
  })
}

/** An email whose address bounced since. */
async function bouncedMail(request: SampleRequest): Promise<string> {
  const id = await someMail(request)
  const { services } = request.fixture
  const row = await Emails.find(services, { id })
  const event = { key: `bounced:${id}`, kind: 'hard' as const, at: null, status: '5.1.1', answer: '550 Gone' }
  if (row)
    await services.db.transaction(() =>
      recordDeliveryEvent(services.as(system), row, { ...event, address: row.toAddress }),
    )
  return String(id)
}

const newMail = async (request: SampleRequest) => String(await someMail(request))

const newWebhook = { url: 'https://hooks.example.com/in', events: ['order.paid'] }

/** A webhook of the tenant, paused, or with a failed delivery; for the tenant that does not exist, an unknown id. */
function someWebhook(has: 'nothing' | 'paused' | 'failure' = 'nothing') {
  return async (request: SampleRequest): Promise<string> => {
    const id = await madeFor(request, async ({ fixture: { services }, tenant: { publisherId, publicationId } }) => {
      const owner = services.as(await actorOf(services, 'publisher', publisherId))
      const { id: webhookId } = await addWebhook(owner, newWebhook)
      if (has === 'paused') await pauseWebhook(owner, { webhookId })
      if (has === 'failure') {
        await queueWebhooks(services, publicationId, { type: 'order.paid' })
        await giveUpDeliveries(services, [webhookId], 'Responded with 500')
      }
      return webhookId
    })
    return String(id)
  }
}

/** The request of each call, by its name in the tables. The permission tests fail for a call that needs a row here and has none. */
export const callSamples: Record<string, CallSample> = {
  ...subscriberSamples,
  'GET /emails/one/{id}': { path: { id: newMail } },
  'POST /emails/resend/{id}': { path: { id: newMail }, body: ({ tag }) => ({ key: `press-${tag}` }) },
  'POST /emails/try-address/{id}': { path: { id: bouncedMail } },
  'POST /emails/sender': { body: ({ tenant: { marker } }) => senderOf(marker) },
  'DELETE /publication/promo/{id}': { path: { id: async (request) => String(await somePromo(request)) } },
  'GET /publication/promo/getpromodets/{id}': { path: { id: ({ tenant }) => String(tenant.promoId) } },
  'POST /publication/promo': {
    body: ({ tenant, tag }) => ({ ...newPromoBody(`NEW-${tag}`), pubid: tenant.publicationId }),
  },
  'POST /publication/updatepromo': {
    body: ({ tenant, tag }) => ({
      ...newPromoBody(`CHANGED-${tag}`),
      promoid: tenant.promoId,
      pubid: tenant.publicationId,
    }),
  },
  'POST /publication/promo/getpromo': {
    body: async ({ fixture, tenant, tag }) => {
      const code = `ASKED-${tag}`
      await makePromo(fixture.services, tenant.publicationId, code)
      return { publication: tenant.publicationId, code }
    },
  },
  'POST /publication/updatereceipttext': {
    body: ({ tenant }) => ({ _id: tenant.publicationId, receiptText: 'Thank you for coming aboard.' }),
  },
  'POST /publication/updaterenewaltext': {
    body: ({ tenant }) => ({ _id: tenant.publicationId, receiptText: 'Stay with us.' }),
  },
  'POST /users/login': { body: () => ({ email: 'publisher@mackerel.test', password: 'masthead' }) },
  'POST /users/slogin': { body: () => ({ email: 'superuser@mackerel.test', password: 'masthead' }) },
  // Five requests an hour are allowed: each role has its own user.
  'POST /users/forgot': { body: async ({ fixture }) => ({ email: (await makeUser(fixture.services)).email }) },
  'POST /users/reset/{token}': { path: { token: freshToken }, body: () => ({ password: 'kite-under-harbour' }) },
  'POST /users/v2/promocode/check/': { body: () => ({ pattern: 'FREE20' }) },
  'POST /users/v2/subscribe/': { body: ({ tag }) => newSignUpBody(`subscribe-${tag}`) },
  'POST /users/v2/register/': { body: paidRegistrationBody },
  'POST /users/register': {
    body: ({ tag }) => ({ ...newRegistrationBody(`register-${tag}`), planType: 'standard-2' }),
  },
  'POST /users/': { body: () => ({ firstName: 'Adele' }) },
  'GET /users/email/{email}': { path: { email: ({ tag }) => `free-${tag}@example.test` } },
  'GET /users/storefront/{id}': { path: { id: publisherIdOf } },
  'GET /users/userKey/{id}': { path: { id: publisherIdOf }, statuses: notOfReseller },
  'GET /users/getpublishers/{id}': { path: { id: someReseller } },
  'GET /users/{id}': { path: { id: newStaff }, statuses: notOfReseller },
  'DELETE /users/{id}': { path: { id: newStaff }, statuses: notOfReseller },
  'POST /users/deactivateuser/{id}': { path: { id: newStaff }, statuses: notOfReseller },
  'POST /users/adduser': {
    body: ({ tenant, tag }) => ({ ...newStaffBody(tag), userType: 'mailer', parentPublisher: tenant.publisherId }),
    statuses: notOfReseller,
  },
  'POST /users/updateuser': {
    body: async (request) => ({ id: await someStaff(request), lastName: 'Renamed' }),
    statuses: notOfReseller,
  },
  'POST /users/addpublisher': {
    body: ({ tag }) => ({ ...newStaffBody(tag), userType: 'publisher', companyName: `Press of ${tag}` }),
  },
  'POST /publication/image/{id}': { path: { id: publicationIdOf }, body: picture },
  'POST /publication/logo/{id}': { path: { id: publicationIdOf }, body: picture },
  'POST /publication/uploadimage': { body: picture },
  'POST /publication/uploadlogo': { body: picture },
  'POST /backIssue/uploadCover': { body: picture },
  'GET /backIssue/getbackIssue/{id}': { path: { id: backIssueIdOf } },
  'POST /backIssue/': {
    body: ({ tenant }) => ({ publication: tenant.publicationId, volume: 'Winter 2025', price: '6.50', stock: '' }),
  },
  'POST /backIssue/updatebackIssue': {
    body: async (request) => ({ _id: await someBackIssue(request), volume: 'Renamed', stock: 3 }),
  },
  'POST /backIssue/removeBackIssue/{id}': { path: { id: async (request) => String(await someBackIssue(request)) } },
  'POST /backIssue/coverImg/{id}': { path: { id: backIssueIdOf }, body: picture },
  'GET /publication/getpublication/{id}': { path: { id: ({ tenant }) => String(tenant.publicationId) } },
  'GET /publication/checkurlkey/{urlKey}': { path: { urlKey: ({ tag }) => `free-${tag}` } },
  'POST /publication': { body: ({ tag }) => newPublicationBody(tag) },
  'POST /publication/updatepublication': {
    body: async (request) => ({ _id: await somePublication(request), publicationName: 'Renamed' }),
  },
  'POST /publication/deactivatepublication/{id}': {
    path: { id: async (request) => String(await somePublication(request)) },
  },
  'POST /order/buyerlogin': {
    body: ({ tenant }) => ({
      email: `ida@${tenant.marker.toLowerCase()}.test`,
      password: 'sesame-street',
      publicationID: tenant.publicationId,
    }),
  },
  // Five requests an hour are allowed: each role has its own reader.
  'POST /order/forgot': {
    body: async ({ fixture, tenant }) => ({
      email: (await makeBuyer(fixture.services, tenant.publicationId)).email,
      publicationID: tenant.publicationId,
    }),
  },
  'POST /order/reset/{token}': { path: { token: freshBuyerToken }, body: () => ({ password: 'kite-under-harbour' }) },
  'GET /order/email/{email}/{publicationID}': { path: { email: ({ tag }) => `free-${tag}@example.test` } },
  'POST /order/buyer/address': {
    body: () => ({ shippingAddressOne: '7 Quay Street', shippingCity: 'Falmouth', shippingPostcode: 'TR11 3LH' }),
  },
  'GET /thirdparty/postcodelookup/{postcode}': { path: { postcode: () => 'sw1a1aa' } },
  'POST /thirdparty/checksubscriber': {
    body: ({ fixture, tenant }) => ({
      key: fixture.tokens.partner,
      email: `ida@${tenant.marker.toLowerCase()}.test`,
      password: 'sesame-street',
    }),
  },
  'POST /thirdparty/oauth/token': { body: freshCode },
  'POST /thirdparty/oauth/revoke': { body: () => ({ client_id: 'app_nobody', token: 'mr_1.nothing' }) },
  'POST /thirdparty/oauth/introspect': { body: () => ({ token: 'nonsense' }) },
  'POST /thirdparty/entitlement': { body: ({ tenant }) => ({ email: `ida@${tenant.marker.toLowerCase()}.test` }) },
  'GET /thirdparty/webhooks/{id}': { path: { id: someWebhook() } },
  'POST /thirdparty/webhooks': { body: () => newWebhook },
  'POST /thirdparty/webhooks/{id}': { path: { id: someWebhook() }, body: () => newWebhook },
  'DELETE /thirdparty/webhooks/{id}': { path: { id: someWebhook() } },
  'POST /thirdparty/webhooks/{id}/pause': { path: { id: someWebhook() } },
  'POST /thirdparty/webhooks/{id}/resume': { path: { id: someWebhook('paused') } },
  'POST /thirdparty/webhooks/{id}/secret': { path: { id: someWebhook() } },
  'POST /thirdparty/webhooks/{id}/test': { path: { id: someWebhook() } },
  'POST /thirdparty/webhooks/{id}/replay': { path: { id: someWebhook('failure') }, body: () => ({}) },
  'POST /order/contactme': {
    body: async ({ fixture, tag }) => ({
      name: 'Nell Press',
      email: `contact-${tag}@example.test`,
      phone: '',
      message: 'Do you take over readers?',
      captcha: encodeCaptcha(await solveCaptcha(await getCaptcha(fixture.services.as(visitor), {}))),
      emailResetMessage: 'Read by nobody',
    }),
  },
  'POST /order/createBackIssueOrder': {
    body: ({ tenant, tag }) => newIssueOrderBody(tenant, `matrix-issues-${tag}`),
    statuses: onlyOwnEmail,
  },
  'POST /order/createSTOrder': {
    body: async ({ fixture, tenant, tag }) => {
      const keys = {
        user: 'ws@standin.example',
        pass: 'a pass of the site',
        ref: 'test_standin12345',
        sitePass: 'words to sign by',
      }
      await connectPayee(fixture.services, tenant.publisherId, 'secureTradingDets', keys)
      return newOrderBody(tenant, `matrix-hosted-${tag}`)
    },
    statuses: onlyOwnEmail,
  },
  'POST /order/paymentintent/card/': { body: stripeOrderBody, statuses: onlyOwnEmail },
  'POST /order/paymentintent/bacs/': { body: stripeOrderBody, statuses: onlyOwnEmail },
  'POST /order/cancelOrder': { body: somePendingOrder },
  'POST /order/posted': { body: someOrderToPost },
  'POST /order/refund/{id}': { body: () => ({ scope: 'amount', amount: '0.01', method: 'hand', reason: 'Late' }) },
  'POST /order/createOrder': {
    body: ({ tenant, tag }) => newOrderBody(tenant, `matrix-order-${tag}`),
    statuses: onlyOwnEmail,
  },
}
