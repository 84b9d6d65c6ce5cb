import { visitor } from '#core/access/actor.ts'
import type { UserType } from '#core/access/user-types.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { makeUser } from '#tests/support/factories.ts'
import { type ApiWorld, newOrderBody, type Tenant } from './api-world.ts'

export type Role = 'visitor' | UserType

/** One asking of a call: at which tenant, and a word that keeps what must be unique apart. */
export interface Asking {
  world: ApiWorld
  tenant: Tenant
  tag: string
}

export interface CallSample {
  /** A body the call accepts; every POST has one. */
  body?: (asking: Asking) => unknown
  /** The values of the path that are not the tenant's plain publication, order or publisher id. */
  path?: Record<string, (asking: Asking) => string | Promise<string>>
  /** Answers that the permission table alone does not foretell. */
  statuses?: Partial<Record<Role, number>>
}

/** An id that nobody has. */
export const nobodysId = 999_999

/** A fresh member of the tenant's staff; for the tenant that does not exist, an id that nobody has. */
export async function someStaff({ world, tenant, tag }: Asking): Promise<number> {
  if (tenant.publisherId === nobodysId) return nobodysId
  const user = await makeUser(world.services, {
    userType: 'mailer',
    email: `staff-${tag}-${Math.random().toString(36).slice(2)}@${tenant.word}.test`,
    lastName: tenant.word,
    parentPublisherId: tenant.publisherId,
  })
  return user.id
}

function newSignUpBody(tag: string): Record<string, unknown> {
  return { plan_type: 'standard-3', email: `${tag}@example.test`, username: 'Nell Press', price_type: 'VAT' }
}

function newRegistrationBody(tag: string): Record<string, unknown> {
  const email = `${tag}@example.test`
  const password = 'sesame-street'
  return { firstName: 'Nell', lastName: 'Press', email, password, password2: password, country: 'GB', companyName: tag }
}

/** The registration of a sign-up whose payment the demo provider has taken. */
async function paidRegistrationBody({ world, tag }: Asking): Promise<unknown> {
  const email = `paid-${tag}@example.test`
  const started = await startSignup(world.services.as(visitor), {
    planKey: 'standard-3',
    email,
    name: 'Nell Press',
    priceType: 'VAT',
  })
  return { ...newRegistrationBody(`paid-${tag}`), planType: 'standard-3', paymentIntentId: started.paymentIntentId }
}

/** What each call is asked with, by its name in the tables. The matrix fails for a call that needs a row here and has none. */
export const callSamples: Record<string, CallSample> = {
  'POST /users/login': { body: () => ({ email: 'publisher@mackerel.test', password: 'masthead' }) },
  'POST /users/slogin': { body: () => ({ email: 'superuser@mackerel.test', password: 'masthead' }) },
  'POST /users/v2/promocode/check/': { body: () => ({ pattern: 'FREE20' }) },
  'POST /users/v2/subscribe/': { body: ({ tag }) => newSignUpBody(`subscribe-${tag}`) },
  'POST /users/v2/register/': { body: paidRegistrationBody },
  'POST /users/register': {
    body: ({ tag }) => ({ ...newRegistrationBody(`register-${tag}`), planType: 'standard-2' }),
  },
  'POST /users/': { body: () => ({ firstName: 'Ada' }) },
  'POST /subscriber/search': {
    body: ({ tenant }) => ({ publicationID: tenant.publicationId, lastName: 'mack' }),
  },
  'POST /order/createOrder': { body: ({ tenant, tag }) => newOrderBody(tenant, `matrix-order-${tag}`) },
}
