import { createHook } from 'node:async_hooks'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendMail } from '#core/emails/send-mail.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBackIssue, makeBuyer, makePublication, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { issueForm, makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { Buyers } from '../buyers/buyers.rows.ts'
import { checkClaim, claimAccount } from '../buyers/claim-account.ts'
import { makeClaimLink } from '../buyers/claim-link.ts'
import { issueBuyerToken } from '../buyers/issue-buyer-token.ts'
import { placeBackIssueOrder } from '../orders/place-back-issue-order.ts'
import { placeOrder } from '../orders/place-order.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { Readers } from '../readers/readers.rows.ts'
import { addApiKey } from './add-api-key.ts'
import { checkSubscriber } from './check-subscriber.ts'
import { lookUpEntitlement } from './look-up-entitlement.ts'
import { makeApiKey } from './make-api-key.ts'
import { actorOfApiKey } from './partner-actor.ts'

let services: TestServices
let publicationId: number
let urlKey: string
let key: string
beforeAll(async () => {
  services = await openTestServices()
  services.clock.now = new Date('2026-11-24T10:00:00Z')
  const publication = await makePublication(services)
  publicationId = publication.id
  urlKey = publication.urlKey
  const owner = services.as(await actorOf(services, 'publisher', publication.publisherId))
  key = (await addApiKey(owner, { publicationId, name: 'App', scopes: ['check', 'entitlement'] })).key
})
beforeEach(() => services.db.run(`DELETE FROM rate_limits`))

const visitorAt = (address?: string) => {
  const ctx = services.as(visitor)
  return { ...ctx, origin: { ...ctx.origin, ...(address ? { address } : {}) } }
}
const check = (email: string, password = 'masthead', address?: string) =>
  checkSubscriber(visitorAt(address), { key, email, password })
const digital = { subType: 'digital', subStartOn: '2026-01-01', subEndOn: '2026-12-31' } as const

/** A reader with an account and a record in it. */
async function subscriber(fields: Parameters<typeof makeReader>[2] = {}, email?: string) {
  const buyer = await makeBuyer(services, publicationId, email ? { email } : {})
  await makeReader(services, publicationId, { ...digital, firstName: 'Ida', ...fields, buyerId: buyer.id })
  return buyer.email
}

const refused = {
  isEntitled: false,
  why: 'credentials',
  hasBoughtIssue: false,
  firstName: '',
  lastName: '',
  startsAt: null,
  endsAt: null,
}

describe('a check of a subscriber', () => {
  it('returns who it is, and the first and last day', async () => {
    const email = await subscriber({ lastName: 'Finch' })
    expect(await check(email.toUpperCase())).toEqual({
      isEntitled: true,
      why: null,
      hasBoughtIssue: false,
      firstName: 'Ida',
      lastName: 'Finch',
      startsAt: Date.UTC(2026, 0, 1) / 1000,
      endsAt: Date.UTC(2027, 0, 1) / 1000 - 1,
    })
  })

  it('gives an unknown email and a wrong password the same answer', async () => {
    const email = await subscriber()
    expect(await check(email, 'guess')).toEqual(refused)
    expect(await check('nobody@example.test', 'guess')).toEqual(refused)
  })

  it('knows only the readers of its own publication, and no deactivated record', async () => {
    const elsewhere = await makePublication(services)
    const other = await makeBuyer(services, elsewhere.id)
    await makeReader(services, elsewhere.id, { ...digital, buyerId: other.id })
    expect(await check(other.email)).toEqual(refused)
    expect(await check(await subscriber({ isDeleted: true }))).toMatchObject({ isEntitled: false, why: 'none' })
  })

  it('explains why a reader with the right password has no access', async () => {
    expect(await check(await subscriber({ subType: 'print' }))).toMatchObject({ why: 'print-only', endsAt: null })
    expect(await check(await subscriber({ subEndOn: '2026-11-23' }))).toMatchObject({
      isEntitled: false,
      why: 'ended',
      endsAt: Date.UTC(2026, 10, 24) / 1000 - 1,
    })
    expect(await check(await subscriber({ subEndOn: '2026-11-24' }))).toMatchObject({ isEntitled: true })
  })

  it('ignores gifts to others, and reports purchases of single issues', async () => {
    const shop = await makeShop(services, { sellsBackIssues: true })
    const owner = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const shopKey = (await makeApiKey(owner, { publicationId: shop.id })).key
    const buy = (form: object) => placeOrder(visitorAt(), form)
    const donor = 'donor@example.test'
    const ask = () => checkSubscriber(visitorAt(), { key: shopKey, email: donor, password: 'masthead' })
    const recipient = {
      firstName: 'Tom',
      lastName: 'Lee',
      addressOne: '2 Mill Lane',
      city: 'Bath',
      postCode: 'BA1 1AA',
    }
    const gift = { isGift: true, isDeliveredToBilling: false, shipping: recipient }
    await buy(orderForm(shop, { email: donor, plan: '1BN39.99', ...gift }))
    expect(await ask()).toMatchObject({ isEntitled: false, why: 'none', hasBoughtIssue: false })
    await placeBackIssueOrder(
      visitorAt(),
      issueForm(shop, [(await makeBackIssue(services, shop.id)).id], { email: donor }),
    )
    expect(await ask()).toMatchObject({ isEntitled: false, hasBoughtIssue: true })
    await buy(orderForm(shop, { email: donor, plan: '1BN39.99' }))
    expect(await ask()).toMatchObject({ isEntitled: true, hasBoughtIssue: true, lastName: "O'Brien" })
  })

  it('refuses an invalid key, and names missing parameters', async () => {
    const ask = (input: object) => checkSubscriber(visitorAt(), { email: 'a@b.test', password: 'x', ...input })
    for (const wrong of ['mk_wrong', 'nonsense', key.slice(0, -1)])
      await expect(ask({ key: wrong })).rejects.toMatchObject({ kind: 'unauthenticated' })
    await expect(ask({})).rejects.toMatchObject({ fields: { key: 'Required' } })
    await expect(checkSubscriber(visitorAt(), {})).rejects.toMatchObject({
      fields: { key: 'Required', email: 'Required', password: 'Required' },
    })
    const byHeader = { ...visitorAt(), actor: await actorOfApiKey(services, key) }
    expect(await checkSubscriber(byHeader, { email: 'a@b.test', password: 'x' })).toEqual(refused)
  })
})

/** The statements sent to the database while something runs, with their values filled in. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
  const before = options.logging
  const statements: string[] = []
  options.logging = (line: string) => statements.push(line.replace(/^Executing \(\w+\): /, ''))
  try {
    await work()
  } finally {
    options.logging = before
  }
  return statements
}

/** How many passwords are hashed while something runs: argon2 does each as one piece of native work, to which its binding gives no name. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'undefined') count++
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

describe('resistance to timing attacks', () => {
  it('does the same work for an unknown email, a wrong password, and a reader without one', async () => {
    const known = await subscriber()
    const { email: withoutPassword } = await makeBuyer(services, publicationId)
    await services.db.run(`UPDATE buyers SET password_hash = NULL WHERE email = :without`, { without: withoutPassword })
    const stored = await hashPassword('masthead')
    // The decoy hash, compared when there is no password, exists from the first check on.
    await passwordMatches(stored, 'x')
    expect(await countHashes(() => passwordMatches(stored, 'x'))).toBe(1)

    const tables: Record<string, string[]> = {}
    for (const [name, email] of Object.entries({ known, without: withoutPassword, unknown: 'somebody@example.test' })) {
      let statements: string[] = []
      const hashed = await countHashes(async () => {
        statements = await statementsOf(async () => expect(await check(email, 'guess')).toEqual(refused))
      })
      expect(hashed, name).toBe(1)
      tables[name] = statements.map(
        (sql) => /(?:FROM|INTO) (\w+|\(SELECT \w+)/.exec(sql)?.[1] ?? sql.replace(/.*: /, ''),
      )
    }
    expect(tables.unknown).toEqual(tables.without)
    // The look-up of a reader who may be sent a link runs in parallel with the hash, which takes longer.
    const [key, account] = tables.known ?? []
    expect(tables.unknown?.toSorted()).toEqual([...(tables.known ?? []), 'readers'].toSorted())
    expect(tables.unknown?.slice(0, 2)).toEqual([key, account])
  })
})

it('makes two indexed queries for the right password', async () => {
  const email = await subscriber()
  await services.db.run(`UPDATE buyers SET email_proven_at = :now WHERE email_key = :email`, {
    now: services.now(),
    email,
  })
  // A right password after a guess also resets the count: only the next one makes no more than the two queries.
  await check(email, 'guess', '192.0.2.9')
  await check(email, 'masthead', '192.0.2.9')
  const statements = await statementsOf(() => check(email, 'masthead', '192.0.2.9'))
  expect(statements).toHaveLength(2)
  // A separate connection: on SQLite an explained statement pins its connection to the snapshot of that moment.
  const db = await openDatabase(services.databaseUrl)
  const plans: string[] = []
  for (const sql of statements) {
    if (db.dialect === 'sqlite') {
      const rows = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      plans.push(...rows.map(({ detail }) => detail))
    } else {
      await db.transaction(async () => {
        // A test's tables are so small that scans are cheaper than indexes: a scan that remains has no index.
        await db.query(`SELECT set_config('enable_seqscan', 'off', true)`)
        plans.push(...(await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`)).map((row) => row['QUERY PLAN']))
      })
    }
  }
  await db.close()
  // Which of two suitable indexes is used depends on how full a table is; SQLite has no statistics here, as in a new installation.
  if (db.dialect === 'sqlite') expect(plans.join('\n')).toMatch(/INDEX readers_buyer[\s\S]*INDEX readers_[\s\S]*email/)
  expect(plans.filter((line) => /\bSeq Scan\b|^SCAN (?!always|held|CONSTANT)/.test(line))).toEqual([])
})

describe('guessing through a key', () => {
  it('is stopped after ten wrong passwords for one reader, from whatever addresses, and not for another reader', async () => {
    const email = await subscriber()
    const other = await subscriber()
    for (let n = 0; n < 10; n++) expect(await check(email, `guess ${n}`, `192.0.2.${n}`)).toEqual(refused)
    await expect(check(email)).rejects.toMatchObject({ kind: 'tooMany' })
    expect(await check(other)).toMatchObject({ isEntitled: true })
    // The storefront's own log-in has a separate count.
    const login = { email, password: 'masthead', publicationId }
    expect(await issueBuyerToken(visitorAt(), login)).toMatchObject({ token: expect.any(String) })
  })

  it('is reset by the right password', async () => {
    const email = await subscriber()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 9; n++) await check(email, 'guess')
      expect(await check(email)).toMatchObject({ isEntitled: true })
    }
  })

  it('is stopped for a key, and for an address, that tries one password with many emails', async () => {
    const counted = [`check-key:${(await actorOfApiKey(services, key)).keyId}`, 'check-from:192.0.2.77']
    for (const name of counted) {
      await services.db.run(`DELETE FROM rate_limits`)
      await check('nobody@example.test', 'guess', '192.0.2.77')
      const reached = await services.db.run(`UPDATE rate_limits SET hits = 500 WHERE limit_key = :name`, { name })
      expect(reached).toBe(1)
      await expect(check('somebody@example.test', 'guess', '192.0.2.77')).rejects.toMatchObject({ kind: 'tooMany' })
    }
  })

  it('processes eight requests at once, so that guesses cannot get ahead of their counter', async () => {
    const email = await subscriber()
    const guesses = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => check(email, `guess ${n}`)))
    const processed = guesses.filter(({ status }) => status === 'fulfilled').length
    expect(processed).toBeGreaterThanOrEqual(10)
    expect(processed).toBeLessThan(18)
  })
})

describe('a reader without a password', () => {
  const claims = async () => (await queuedEmails(services, 'claim-link')).length

  it('is sent a link once a day; everybody gets the same answer, and nobody else is sent one', async () => {
    await makeReader(services, publicationId, { ...digital, email: 'Imported@example.test' })
    await makeReader(services, publicationId, { ...digital, subType: 'print', email: 'print@example.test' })
    await makeReader(services, publicationId, { ...digital, subEndOn: '2026-11-23', email: 'ended@example.test' })
    const before = await claims()
    for (const email of ['imported@example.test', 'imported@example.test', 'print@example.test', 'ended@example.test'])
      expect(await check(email, 'anything')).toEqual(refused)
    await check(await subscriber(), 'wrong')
    expect(await claims()).toBe(before + 1)
  })

  it('sets a password by the link, once, and is entitled with it; the records of that email join the account', async () => {
    const email = 'claimer@example.test'
    const readerId = await makeReader(services, publicationId, { ...digital, email, firstName: 'Nell' })
    await check(email, 'anything')
    const mail = (await queuedEmails(services, 'claim-link')).at(-1)
    expect(mail?.about).toMatchObject({ readerId })
    expect(await sendMail(services.as(system), { mail: 'claim-link', about: mail?.about ?? {} })).toBe(true)
    const link = await makeClaimLink(services.as(system), readerId)
    const token = link?.url.split('/').at(-1) ?? ''
    expect(link?.url).toContain(`/${urlKey}/claim/`)
    expect(await checkClaim(visitorAt(), { urlKey, token })).toEqual({ email })
    const elsewhere = await makePublication(services)
    expect(await checkClaim(visitorAt(), { urlKey: elsewhere.urlKey, token })).toEqual({ email: null })
    await expect(claimAccount(visitorAt(), { urlKey, token, password: 'abc' })).rejects.toMatchObject({
      fields: { password: 'Must be at least 6 characters' },
    })
    await claimAccount(visitorAt(), { urlKey, token, password: 'kite under harbour' })
    await expect(claimAccount(visitorAt(), { urlKey, token, password: 'kite over harbour' })).rejects.toMatchObject({
      fields: { token: expect.any(String) },
    })
    expect(await check(email, 'kite under harbour')).toMatchObject({ isEntitled: true, firstName: 'Nell' })
    const buyer = await Buyers.find(services, { publicationId, emailKey: email })
    expect(await Readers.find(services, { id: readerId })).toMatchObject({ buyerId: buyer?.id })
  })

  it('is not matched by an account that somebody else made with the same email', async () => {
    const email = 'victim@example.test'
    await makeReader(services, publicationId, { ...digital, email })
    await makeBuyer(services, publicationId, { email })
    expect(await check(email)).toMatchObject({ isEntitled: false, why: 'none' })
  })
})

describe('looking up by email', () => {
  it('finds account and record alike, returns no name, and explains a refusal', async () => {
    const ctx = { ...visitorAt(), actor: await actorOfApiKey(services, key) }
    const email = await subscriber({ subType: 'bundle' })
    const endsAt = Date.UTC(2027, 0, 1) / 1000 - 1
    expect(await lookUpEntitlement(ctx, { email })).toEqual({
      isEntitled: true,
      why: null,
      product: 'bundle',
      startsAt: Date.UTC(2026, 0, 1) / 1000,
      endsAt,
    })
    await makeReader(services, publicationId, { ...digital, email: 'file@example.test' })
    expect(await lookUpEntitlement(ctx, { email: 'FILE@example.test' })).toMatchObject({ isEntitled: true })
    expect(await lookUpEntitlement(ctx, { email: 'nobody@example.test' })).toEqual({
      isEntitled: false,
      why: 'none',
      product: null,
      startsAt: null,
      endsAt: null,
    })
    await expect(lookUpEntitlement(visitorAt(), { email })).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})
