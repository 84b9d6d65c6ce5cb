import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { checkMailDomain, checkOffersDomain, checkPublisherSenders, checkSpfInclude } from './doctor-emails.ts'
import { readEnv } from './env.ts'
import { lookUpMailDomain } from './mail-domain.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dkim = {
  domain: 'good.test',
  selector: 'masthead',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const keyText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const server = await startDnsServer({
  'good.test': ['google-site-verification=x', 'v=spf1 include:_spf.mail.test ~all'],
  '_dmarc.good.test': ['v=DMARC1; p=Reject; rua=mailto:dmarc@good.test'],
  'masthead._domainkey.good.test': [`v=DKIM1; k=rsa; p=${keyText.slice(0, 200)} ${keyText.slice(200)}`],
  'twice.test': ['v=spf1 -all', 'v=spf1 a ~all'],
  '_dmarc.twice.test': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
  'plain.test': ['v=spf1 mx -all'],
  'other._domainkey.plain.test': ['v=DKIM1; p=AAAA'],
})
const lookUp = (domain: string, key: typeof dkim | null = null) => lookUpMailDomain({ domain, dkim: key, server })

describe('a sender’s domain in DNS', () => {
  it('passes with SPF, DMARC and our key, which is longer than one string of a record', async () => {
    expect(await lookUp('good.test', dkim)).toEqual({ spf: '~all', dmarc: 'reject', dkim: true, problems: [] })
  })

  it('uses the DMARC record of the parent domain', async () => {
    expect(await lookUp('news.good.test')).toMatchObject({ spf: null, dmarc: 'reject', dkim: null })
  })

  it('fails with two records', async () => {
    const { spf, dmarc, problems } = await lookUp('twice.test')
    expect({ spf, dmarc }).toEqual({ spf: 'broken', dmarc: null })
    expect(problems).toHaveLength(2)
  })

  it('reports missing records, and a different key', async () => {
    const otherKey = { ...dkim, domain: 'plain.test', selector: 'other' }
    expect(await lookUp('plain.test', otherKey)).toMatchObject({ spf: '-all', dmarc: null, dkim: false })
    expect((await lookUp('nowhere.test')).problems).toHaveLength(2)
  })

  it('is not judged when DNS does not respond', async () => {
    const lookup = { domain: 'good.test', dkim: null, server: '127.0.0.1:9' }
    await expect(lookUpMailDomain(lookup)).rejects.toThrow('no DNS server accepts the query for good.test')
  })
})

describe('the doctor', () => {
  const env = (from: string, more: Record<string, string> = {}) =>
    readEnv({
      APP_SECRET: 'x'.repeat(40),
      MAIL_URL: 'smtp://127.0.0.1',
      MAIL_FROM: from,
      MAIL_DNS: server,
      ...more,
    })

  it('checks the domain of offers too, if it differs', async () => {
    const offers = (from: string) => checkOffersDomain(env('mail@good.test', { MAIL_OFFERS_FROM: from }))
    expect(await offers('offers@Good.test')).toBeNull()
    expect(await offers('offers@plain.test')).toMatchObject({ state: 'warning', name: 'Offers domain' })
    expect(await checkOffersDomain(env('mail@good.test'))).toBeNull()
  })

  it('reports the domain of MAIL_FROM, and what to add', async () => {
    expect(await checkMailDomain(env('mail@good.test'))).toMatchObject({ state: 'ok', name: 'Mail domain' })
    const check = await checkMailDomain(env('mail@plain.test'))
    expect(check).toMatchObject({ state: 'warning', found: expect.stringContaining('no DMARC record') })
  })

  it('checks the host that publishers include in their SPF records', async () => {
    const include = (host: string, more: Record<string, string> = {}) =>
      checkSpfInclude(env('mail@good.test', { MAIL_SPF_INCLUDE: host, ...more }))
    expect(await include('good.test')).toMatchObject({ state: 'ok', name: 'SPF include' })
    expect(await include('nowhere.test')).toMatchObject({ state: 'warning', found: expect.stringContaining('no SPF') })
    expect(await include('twice.test')).toMatchObject({ state: 'warning', found: expect.stringContaining('several') })
    expect(await include('good.test', { MAIL_DNS: '127.0.0.1:9' })).toMatchObject({ state: 'warning' })
    expect(await include('')).toBeNull()
  })

  it('lists publishers’ own sender addresses with problems, the first twenty by name', async () => {
    const sender = (address: string, problems: string[]) => ({ company: 'Quayside Press', address, problems })
    const checkOf = (...senders: ReturnType<typeof sender>[]) => checkPublisherSenders(Promise.resolve(senders))
    expect(await checkOf()).toEqual([])
    expect(await checkOf(sender('a@quay.test', []))).toMatchObject([{ state: 'ok', name: 'Senders' }])
    expect(
      await checkOf(sender('a@quay.test', []), sender('b@quay.test', ['DKIM missing at x', 'SPF wrong at y'])),
    ).toMatchObject([{ state: 'warning', found: 'b@quay.test of Quayside Press: DKIM missing at x; SPF wrong at y' }])
    const many = await checkOf(
      ...Array.from({ length: 23 }, (_, n) => sender(`r${n}@quay.test`, ['DKIM missing at x'])),
    )
    expect(many).toHaveLength(21)
    expect(many.at(-1)?.found).toBe('3 more publishers with something to fix')
  })

  it('makes no lookup without a mail server, and reports nothing when DNS is down', async () => {
    expect(await checkMailDomain(env('mail@good.test', { MAIL_URL: '' }))).toBeNull()
    expect(await checkMailDomain(env('mail@good.test', { MAIL_DNS: '127.0.0.1:9' }))).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('DNS'),
    })
  })
})
