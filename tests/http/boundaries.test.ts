import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { type UserType, userTypes } from '#core/access/user-types.ts'
import { contextFor } from '#core/context.ts'
import { Emails } from '#core/emails/emails.rows.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { startPlan } from '#core/plans/start-plan.ts'
import { settlePaidSignup } from '#core/signup/settle-signup.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { addTransfer } from '#core/transfers/save-transfer.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { makeTenant, type Tenant } from '#tests/contract/api-fixture.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { staffRoutes } from '#tests/support/staff-routes.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { storedSecrets, storeTestSecrets } from '#tests/support/stored-secrets.ts'
import { someImport } from '#tests/support/uploads.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { type ScreenName, screenAccess } from '#web/app/http/screens.ts'

/** Every screen behind the log-in, requested over HTTP by every role and by strangers: generated from the table of routes. */
let server: TestServer
let mine: Tenant
let theirs: Tenant
const cookies = {} as Record<UserType, string>
const readerOf = new Map<Tenant, number>()
const staffOf = new Map<Tenant, number>()
const uploadOf = new Map<Tenant, number>()
const planInvoiceOf = new Map<Tenant, number | undefined>()
const signupOf = new Map<Tenant, number | undefined>()
const emailOf = new Map<Tenant, number>()
const webhookOf = new Map<Tenant, number>()
const transferOf = new Map<Tenant, number>()
/** The text of every response so far, for the test of stored secrets. */
const responses: { what: string; text: string }[] = []

beforeAll(async () => {
  server = await startTestServer({ seed: false })
  const { services } = server
  mine = await makeTenant(services, 'Mackerel')
  theirs = await makeTenant(services, 'Zebrawood')
  for (const tenant of [mine, theirs]) {
    const [reader] = await services.db.query<{ id: number }>(`SELECT id FROM readers WHERE publication_id = :id`, {
      id: tenant.publicationId,
    })
    readerOf.set(tenant, reader?.id ?? 0)
    const staff = await makeUser(services, {
      userType: 'mailer',
      email: `post@${tenant.marker}.test`,
      lastName: tenant.marker,
      parentPublisherId: tenant.publisherId,
    })
    staffOf.set(tenant, staff.id)
    uploadOf.set(tenant, await someImport({ fixture: { services }, tenant }))
    const { publicationId } = tenant
    const subject = `About ${tenant.marker}`
    emailOf.set(
      tenant,
      await Emails.insert(services, {
        emailKey: `mail:${tenant.marker}`,
        template: 'gift-notice',
        publicationId,
        readerId: readerOf.get(tenant),
        toAddress: `${tenant.marker}@example.test`,
        subject,
        messageId: `<${tenant.marker}@test>`,
        state: 'sent',
      }),
    )
    await services.db.run(`UPDATE accounts SET company_name = :name WHERE user_id = :id`, {
      name: `${tenant.marker} Press`,
      id: tenant.publisherId,
    })
    const publisher = contextFor(services, await actorOf(services, 'publisher', tenant.publisherId), {
      entryPoint: 'test',
    })
    const webhook = await addWebhook(publisher, {
      url: `https://${tenant.marker}.example.test/hook`,
      events: ['order.paid'],
    })
    webhookOf.set(tenant, webhook.id)
    const transfer = await addTransfer(publisher, {
      publicationId,
      kind: 'import',
      name: tenant.marker,
      host: `${tenant.marker}.example.test`,
      login: tenant.marker,
      password: 'a password that nobody may see',
      runAt: '02:30',
      alertUsers: [tenant.publisherId],
    })
    transferOf.set(tenant, transfer.id)
    await startPlan(publisher, { titles: 10, key: randomUUID(), cardNumber: demoCards.paid })
    signupOf.set(tenant, await paidSignup(tenant.marker))
    planInvoiceOf.set(tenant, (await getPlan(publisher, {})).invoices[0]?.id)
  }
  for (const userType of userTypes) {
    const email = `${userType}@mackerel.test`
    if (userType !== 'publisher') {
      const isStaff = ['pubadmin', 'admin', 'mailer'].includes(userType)
      const { id } = await makeUser(services, {
        userType,
        email,
        ...(isStaff ? { parentPublisherId: mine.publisherId } : {}),
      })
      if (userType === 'reseller')
        await services.db.run(`UPDATE users SET reseller_id = :id WHERE id = :publisherId`, {
          id,
          publisherId: mine.publisherId,
        })
    }
    cookies[userType] = await staffCookie(services, email)
  }
  for (const tenant of [mine, theirs]) await storeTestSecrets(services, tenant.publisherId)
})

afterAll(() => server?.stop())

/** A paid sign-up from which no publisher can be registered. */
async function paidSignup(marker: string): Promise<number | undefined> {
  const ctx = server.as(visitor)
  const input = { planKey: 'standard-1', email: `new@${marker}.test`, name: marker, priceType: 'VAT' }
  const { paymentIntentId: payment } = await startSignup(ctx, input)
  await settlePaidSignup(ctx, { payment, invoice: null, subscription: null, customer: null })
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM signups WHERE payment_intent = :payment`,
    {
      payment,
    },
  )
  return row?.id
}

async function request(path: string, role: UserType | null, body?: Record<string, string>): Promise<Response> {
  const response = await fetch(server.url + path, {
    redirect: 'manual',
    headers: role ? { cookie: cookies[role] } : {},
    ...(body ? { method: 'POST', body: new URLSearchParams(body) } : {}),
  })
  const text = await response.clone().text()
  responses.push({
    what: `${body ? 'POST' : 'GET'} ${path} as ${role}`,
    text: `${JSON.stringify([...response.headers])}${text}`,
  })
  return response
}

/** The path with the ids of a tenant, or with unknown ids. */
function addressOf(path: string, tenant: Tenant | null): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (!tenant) return '999999'
    const ids: Record<string, number | string | undefined> = {
      publicationId: tenant.publicationId,
      orderId: tenant.orderId,
      promoId: tenant.promoId,
      backIssueId: tenant.backIssueId,
      readerId: readerOf.get(tenant),
      uploadId: uploadOf.get(tenant),
      invoiceId: planInvoiceOf.get(tenant),
      signupId: signupOf.get(tenant),
      userId: staffOf.get(tenant),
      emailId: emailOf.get(tenant),
      webhookId: webhookOf.get(tenant),
      transferId: transferOf.get(tenant),
      list: 'nopostcode',
      mail: 'gift-notice',
    }
    const id = ids[name]
    if (!id) throw new Error(`Add the tenant’s value of :${name} to the ids above`)
    return String(id)
  })
}

/** The query that an address requires. */
const queries: Record<string, string> = {
  '/readers/addresses': '?postcode=SW1A1AA',
  '/dashboard/figures': '?part=views',
  '/dashboard/growth.csv': '?part=renewals',
  '/payments/journal.csv': `?month=${new Date().toISOString().slice(0, 7)}`,
}

/** Pages that redirect a publisher with a running plan. */
const redirects: Record<string, string> = {
  '/account/plan/start': '/account/plan',
  '/account/plan/paid': '/account/plan',
}

/** Addresses without a page that are returned to after a log-in: they end in a redirect to one. */
const returnedTo: Record<string, string> = { '/account/plan/paid': '/account/plan' }

describe('every screen, by every role', () => {
  for (const { path, screen, hasAction, isPostOnly, isPage } of staffRoutes) {
    it(`${path} (${screen})`, async () => {
      const address = addressOf(path, mine)
      const homeOf = new Map<UserType, string>()
      for (const role of userTypes) {
        const access = screenAccess(screen as ScreenName, role)
        const response = await request(address + (queries[path] ?? ''), role)
        const redirectTo = access.isAllowed ? redirects[path] : access.redirectTo
        const outcome = redirectTo === undefined ? response.status : response.headers.get('location')
        expect([role, isPostOnly ? response.status : outcome]).toEqual([role, isPostOnly ? 405 : (redirectTo ?? 200)])
        if (!access.isAllowed) homeOf.set(role, access.redirectTo)
      }
      if (!isPostOnly) {
        const logInQuery = new URLSearchParams({ returnTo: `${address}?q=1` })
        const withoutSession = await request(`${address}?q=1`, null)
        expect(withoutSession.headers.get('location')).toBe(
          isPage || path in returnedTo ? `/login?${logInQuery}` : '/login',
        )
      }
      if (hasAction) {
        const before = await databaseChecksum(server.services.db)
        for (const [role, home] of homeOf) {
          const refused = await request(address, role, { intent: 'save', firstName: 'Mallory' })
          expect([role, refused.headers.get('location')]).toEqual([role, home])
        }
        const refused = await request(address, null, { intent: 'save' })
        expect(refused.headers.get('location')).toMatch(/^\/login(\?|$)/)
        expect(await databaseChecksum(server.services.db)).toBe(before)
      }
    })
  }
})

describe('an address without a page', () => {
  const withoutPage = staffRoutes.filter(
    ({ path, isPage, isPostOnly }) => !isPage && !isPostOnly && !(path in returnedTo),
  )

  it('leads, without a session, to the log-in and then to the page that requested it', async () => {
    expect(withoutPage.length).toBeGreaterThan(15)
    const locationFrom = async (path: string, referer: string) => {
      const response = await fetch(server.url + path, { redirect: 'manual', headers: { referer } })
      return response.headers.get('location')
    }
    for (const { path } of withoutPage) {
      const address = addressOf(path, mine)
      const logInAddress = `/login?${new URLSearchParams({ returnTo: '/dashboard/growth?title=4' })}`
      expect([path, await locationFrom(address, `${server.url}/dashboard/growth?title=4`)]).toEqual([
        path,
        logInAddress,
      ])
      for (const referer of ['https://evil.test/dashboard', `${server.url}${address}`, `${server.url}/login`, 'x'])
        expect([path, referer, await locationFrom(address, referer)]).toEqual([path, referer, '/login'])
    }
  })

  it('is not returned to by a log-in page', async () => {
    const otherAddresses = ['/logout', '/browser-faults', '/dashboard.data']
    for (const returnTo of [...withoutPage.map(({ path }) => addressOf(path, mine)), ...otherAddresses]) {
      const response = await request(`/login?${new URLSearchParams({ returnTo: `${returnTo}?q=1` })}`, 'publisher')
      expect([returnTo, response.headers.get('location')]).toEqual([returnTo, '/dashboard'])
    }
  })

  it('is returned to if it ends in a redirect to a page', async () => {
    for (const returnTo of Object.keys(returnedTo)) {
      const response = await request(`/login?${new URLSearchParams({ returnTo })}`, 'publisher')
      expect(response.headers.get('location')).toBe(returnTo)
    }
  })
})

it('a log-in, the site’s address and the screens of other roles lead each role to its own page', async () => {
  const searched = `/searchreaders/${mine.publicationId}`
  const homes: Record<UserType, string> = {
    superuser: '/publishers',
    reseller: '/publishers',
    publisher: '/dashboard',
    pubadmin: '/dashboard',
    admin: '/readers',
    mailer: '/readers',
  }
  for (const [role, home] of Object.entries(homes) as [UserType, string][]) {
    const email = `${role}@mackerel.test`
    const loggedIn = await request(role === 'superuser' ? '/slogin' : '/login', null, { email, password: 'masthead' })
    expect([role, loggedIn.headers.get('location')]).toEqual([role, home])
    const cookie = /masthead-session=[^;]+/.exec(loggedIn.headers.get('set-cookie') ?? '')?.[0] ?? ''
    /** Where all redirects end: one screen may redirect to the next. */
    const finalPathOf = async (path: string) =>
      new URL((await fetch(server.url + path, { headers: { cookie } })).url).pathname
    expect({
      role,
      login: await finalPathOf('/login'),
      site: await finalPathOf('/'),
      payments: await finalPathOf('/payments'),
      publishers: await finalPathOf('/publishers'),
      readers: await finalPathOf(searched),
    }).toEqual({
      role,
      login: home,
      site: home,
      payments: home === '/dashboard' ? '/payments' : home,
      publishers: home,
      readers: ['/publishers', '/readers'].includes(home) && role !== 'admin' ? home : searched,
    })
  }
})

it('a log-out and an ended session lead each role to the log-in that accepts it', async () => {
  for (const [role, logInPage] of [
    ['superuser', '/slogin'],
    ['reseller', '/login'],
  ] as const) {
    const headers = { cookie: await staffCookie(server.services, `${role}@mackerel.test`) }
    const send = (path: string, method: string) => fetch(server.url + path, { method, headers, redirect: 'manual' })
    const responses = [await send('/logout', 'POST'), await send('/publishers', 'GET')]
    expect(responses.map((response) => response.headers.get('location'))).toEqual([
      `${logInPage}?reason=logged-out`,
      `${logInPage}?returnTo=%2Fpublishers&reason=signed-out`,
    ])
  }
})

describe('a redirect parameter to another site', () => {
  const otherSites = [
    '/..//evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    '/%2e%2e//evil.test',
    '//evil.test',
    '/\\evil.test',
  ]

  it('is not followed by a log-in page', async () => {
    const logInPages = { '/login': 'publisher', '/login/code': 'publisher', '/slogin': 'superuser' } as const
    for (const [page, role] of Object.entries(logInPages)) {
      for (const returnTo of otherSites) {
        const response = await request(`${page}?${new URLSearchParams({ returnTo })}`, role)
        const home = role === 'superuser' ? '/publishers' : '/dashboard'
        expect([page, returnTo, response.headers.get('location')]).toEqual([page, returnTo, home])
      }
    }
  })

  it('is not followed by a log-out page', async () => {
    for (const handle of ['%2Fevil.test', '%2F%2Fevil.test', '%5Cevil.test']) {
      const response = await request(`/${handle}/logout`, null)
      const location = response.headers.get('location') ?? '/'
      expect([handle, new URL(location, server.url).origin]).toEqual([handle, new URL(server.url).origin])
    }
  })
})

describe('a page number past the end of a list', () => {
  const lists: Record<string, UserType> = {
    '/backIssues/toPost': 'publisher',
    '/dashboard/readers': 'publisher',
    '/managedata/imports/:publicationId': 'publisher',
    '/invoices': 'publisher',
    '/managedata?view=all': 'publisher',
    '/managedata?view=duplicatefullname': 'publisher',
    '/managedata/likely/:publicationId': 'publisher',
    '/managedata/likely/:publicationId?view=merged': 'publisher',
    '/payments': 'publisher',
    '/publishers': 'superuser',
    '/renewals': 'publisher',
    '/renewals?show=failed': 'publisher',
    '/renewals/series/results?show=readers': 'publisher',
    '/searchreaders/:publicationId': 'publisher',
    '/signups': 'superuser',
    '/users': 'publisher',
  }
  for (const [path, role] of Object.entries(lists)) {
    it(`${path} redirects to the last page`, async () => {
      const [address = '', query = ''] = addressOf(path, mine).split('?')
      const response = await request(`${address}?${new URLSearchParams(`${query}&page=9999`)}`, role)
      const location = response.headers.get('location') ?? ''
      const otherParameters = new URLSearchParams(`${query}&page=`)
      expect(location.replace(/\d+$/, '')).toBe(`${address}?${otherParameters}`)
      expect((await request(location, role)).status).toBe(200)
    })
  }
})

describe("another publisher's ids", () => {
  /** A superuser manages all users, so no tenant is foreign to it. */
  const tenantBound = userTypes.filter((type) => type !== 'superuser')

  for (const { path, screen, hasAction, isPostOnly } of staffRoutes.filter(({ path }) => path.includes(':'))) {
    it(`${path} returns 404 as for an unknown id`, async () => {
      const before = await databaseChecksum(server.services.db)
      for (const role of tenantBound.filter((type) => screenAccess(screen as ScreenName, type).isAllowed)) {
        const bodies: (Record<string, string> | undefined)[] = isPostOnly ? [] : [undefined]
        if (hasAction) bodies.push({ intent: 'deactivate' }, { intent: 'update', firstName: 'Mallory' })
        for (const body of bodies) {
          const visibleTexts = []
          for (const tenant of [theirs, null]) {
            const response = await request(addressOf(path, tenant), role, body)
            const text = await response.text()
            expect([role, body, response.status]).toEqual([role, body, 404])
            expect(text).not.toContain(theirs.marker)
            visibleTexts.push(visibleTextOf(text))
          }
          expect(visibleTexts[0]).toBe(visibleTexts[1])
        }
      }
      expect(await databaseChecksum(server.services.db)).toBe(before)
    })
  }

  it('belong to records that no list shows', async () => {
    for (const { path, screen } of staffRoutes.filter(({ path }) => !path.includes(':'))) {
      for (const role of tenantBound.filter((type) => screenAccess(screen as ScreenName, type).isAllowed)) {
        const text = await (await request(`${path}?q=zebrawood`, role)).text()
        expect([path, role, text.includes(theirs.marker)]).toEqual([path, role, false])
      }
    }
  })
})

/** The visible text of a page, without the parts that differ between responses. */
function visibleTextOf(html: string): string {
  return html
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\d+/g, 'N')
    .replaceAll(/\s+/g, ' ')
}

describe('a form without its fields', () => {
  const intents = [
    'save',
    'update',
    'publish',
    'next',
    'email',
    'password',
    'check-typed',
    'begin',
    'turn-on',
    'map',
    'confirm',
  ]
  for (const { path, screen } of staffRoutes.filter(({ hasAction }) => hasAction)) {
    it(`${path} is refused in plain words`, async () => {
      const role = userTypes.find((type) => screenAccess(screen as ScreenName, type).isAllowed)
      for (const body of [{}, ...intents.map((intent) => ({ intent, provider: 'stripeDets' }))]) {
        const text = visibleTextOf(await (await request(addressOf(path, mine), role ?? 'publisher', body)).text())
        expect([body, /.{40}(Invalid input|expected \w+|received \w+|Invalid option|\bNaN\b).*/.exec(text)]).toEqual([
          body,
          null,
        ])
      }
    })
  }
})

describe('no response', () => {
  it('contains a password, a hash, a key or a token that is stored', async () => {
    // Every screen once, as a user who may see it, apart from the responses of the other tests.
    for (const { path, screen } of staffRoutes.filter(({ isPostOnly }) => !isPostOnly)) {
      const role = userTypes.find((type) => screenAccess(screen as ScreenName, type).isAllowed)
      await request(addressOf(path, mine) + (queries[path] ?? ''), role ?? 'publisher')
    }
    const secrets = await storedSecrets(server.services)
    expect(secrets.length).toBeGreaterThan(15)
    for (const { what, text } of responses) {
      const found = secrets.filter((secret) => text.includes(secret))
      expect([what, found]).toEqual([what, []])
    }
  })
})
