import { randomUUID } from 'node:crypto'
import { visitor } from '#core/access/actor.ts'
import { finishSignup } from '#core/signup/finish-signup.ts'
import type { NewPublisher } from '#core/signup/new-publisher.query.ts'
import { type SignupStart, startSignup } from '#core/signup/start-signup.ts'
import { type StripeServer, startStripeServer } from './stripe-server.ts'
import { openTestServices, type TestServices } from './test-services.ts'

type Row = Record<string, unknown>

/** An installation whose plans are paid at its own fake Stripe, with the steps of a sign-up. */
export interface SignUps {
  stripe: StripeServer
  services: TestServices
  /** The settings of the installation, for a process that shares it. */
  env: Record<string, string>
  start(email: string, fields?: object): Promise<SignupStart>
  startAndPay(email: string, fields?: object): Promise<SignupStart>
  pay(paymentIntentId: string, amount: number): void
  complete(paymentIntentId: string, fields: object): Promise<NewPublisher>
  /** The newest sign-up with an email. */
  signupOf(email: string): Promise<Row | undefined>
  subscriptionOf(signup: Row | undefined): Row | undefined
  usersWith(email: string): Promise<Row[]>
  auditOf(action: string, subjectId: number): Promise<Row[]>
}

export const signUpPassword = 'kite-under-harbour'

export const newEmail = () => `press-${randomUUID()}@example.test`

export function registrationOf(email: string, fields: object = {}): Row {
  return {
    firstName: 'Nell',
    lastName: 'Press',
    email,
    confirmEmail: email,
    password: signUpPassword,
    password2: signUpPassword,
    country: 'GB',
    companyName: 'Quayside Press',
    addressOne: '2 Custom House Quay',
    postZip: 'TR11 3JT',
    ...fields,
  }
}

export async function openSignUps(extraEnv: Record<string, string> = {}): Promise<SignUps> {
  const stripe = await startStripeServer()
  stripe.coupons.set('QUAY20', { percent_off: 20, name: 'Quay' })
  stripe.coupons.set('OTHER20', { percent_off: 20 })
  stripe.coupons.set('BRIEF', { percent_off: 20, duration: 'once' })
  stripe.coupons.set('ALL', { percent_off: 100 })
  stripe.coupons.set('FIRST', { percent_off: 100, duration: 'once' })
  const env = {
    PLATFORM_STRIPE_SECRET_KEY: stripe.secretKey,
    PLATFORM_STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    PLATFORM_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    ...extraEnv,
  }
  const services = await openTestServices(env)
  const start: SignUps['start'] = (email, fields) =>
    startSignup(services.as(visitor), { planKey: 'standard-3', email, name: 'Nell Press', priceType: 'VAT', ...fields })
  const pay: SignUps['pay'] = (paymentIntentId, amount) => {
    stripe.pay(paymentIntentId)
    stripe.setPayment(paymentIntentId, { amount_received: amount })
  }
  return {
    stripe,
    services,
    env,
    start,
    pay,
    async startAndPay(email, fields) {
      const started = await start(email, fields)
      pay(started.paymentIntentId, started.amount)
      return started
    },
    complete: (paymentIntentId, fields) => finishSignup(services.as(visitor), { paymentIntentId, ...fields }),
    async signupOf(email) {
      const [row] = await services.db.query<Row>(`SELECT * FROM signups WHERE email_key = :email ORDER BY id DESC`, {
        email,
      })
      return row
    },
    subscriptionOf: (signup) =>
      [...stripe.objects.values()].find(
        ({ object, metadata }) =>
          object === 'subscription' && (metadata as { signup?: string }).signup === signup?.reference,
      ),
    usersWith: (email) => services.db.query(`SELECT id FROM users WHERE email_key = :email`, { email }),
    auditOf: (action, id) =>
      services.db.query(`SELECT * FROM audit_log WHERE action = :action AND subject_id = :id`, { action, id }),
  }
}
