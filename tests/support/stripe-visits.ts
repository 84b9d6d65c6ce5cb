import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import type { PageOptions, WatchedPage } from './browser.ts'
import { connectPayee } from './connect-payee.ts'
import { serveStripeJs } from './stripe-js.ts'
import { type StripeServer, startStripeServer } from './stripe-server.ts'
import { openVisits } from './visits.ts'

interface StripeVisitsOptions {
  wallets?: readonly ('applePay' | 'googlePay' | 'link')[]
}

/** Journeys at the demo's magazines paid through a fake Stripe: its API, and its script in the browser. */
export function openStripeVisits({ wallets = [] }: StripeVisitsOptions = {}) {
  let stripe: StripeServer | undefined
  beforeAll(async () => {
    stripe = await startStripeServer()
  })
  const started = (): StripeServer => {
    if (!stripe) throw new Error('The fake Stripe starts with the first test')
    return stripe
  }
  const visits = openVisits({ worker: true, env: () => ({ STRIPE_API_BASE: started().url }) })
  const { server } = visits
  beforeAll(async () => {
    const { publishableKey, secretKey, webhookSecret } = started()
    await connectPayee(server.services, await publisherId(), 'stripeDets', { publishableKey, secretKey, webhookSecret })
    await server.services.db.run(
      `UPDATE accounts SET direct_debit_option = 'yes', direct_debit_chargeable_name = 'SALTMARSH QUILL' WHERE user_id = :id`,
      { id: await publisherId() },
    )
  })

  async function publisherId(): Promise<number> {
    const [row] = await server.services.db.query<{ publisher_id: number }>(
      `SELECT publisher_id FROM publications WHERE url_key = 'harbour-light'`,
    )
    return row?.publisher_id ?? 0
  }

  const serve = (where: Page | BrowserContext) => serveStripeJs(where, started().url, { wallets })
  return {
    server,
    serve,
    stripe: started,
    publisherId,
    /** A visitor's page that can load Stripe's script. */
    onPage: (work: (visit: WatchedPage) => Promise<void>, options: Partial<PageOptions> = {}) =>
      visits.onPage(async (visit) => {
        await serve(visit.context)
        await work(visit)
      }, options),
    /** The orders of an email, oldest first. */
    ordersOf: (email: string) =>
      server.services.db.query<{ id: number; order_number: string; state: string; amount: number }>(
        `SELECT id, order_number, state, amount FROM orders WHERE email = :email ORDER BY id`,
        { email },
      ),
  }
}

/** Stripe's own fields in the open window. */
export function cardFields(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Secure payment input frame"]')
}

/** Types a card into Stripe's fields. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const fields = cardFields(page)
  await fields.getByLabel('Card number').fill(number)
  await fields.getByLabel('Expiration date').fill('12/34')
  await fields.getByLabel('Security code').fill('123')
}
