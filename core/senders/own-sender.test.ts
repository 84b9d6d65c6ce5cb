import { createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { openMailDns } from '#core/platform/mail-dns.ts'
import { startDnsServer, startSilentDnsServer } from '#tests/support/dns-server.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { verifyDkim } from '#tests/support/verify-dkim.ts'
import { runWorker } from '#tests/support/worker.ts'
import { checkRecords, checkSender, checkSenders } from './check-sender.ts'
import { getSender, senderFindings } from './get-sender.query.ts'
import { PublisherSenders, sendersToCheck } from './publisher-senders.rows.ts'
import { confirmSender, saveSender, sendSenderLink } from './save-sender.ts'
import { senderOfPublisher } from './sender-of.query.ts'

/** The DNS records; tests change them. */
const records: Record<string, string[]> = {}

let services: TestServices
let mailServer: MailServer
beforeAll(async () => {
  mailServer = await startMailServer()
  services = await openTestServices({
    APP_URL: 'https://subscriptions.example.test',
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'mail@us.test',
    MAIL_DNS: await startDnsServer(records),
    MAIL_SPF_INCLUDE: '_spf.us.test',
  })
})

let domainCount = 0

/** A publisher with a publication, and its sender's address on a separate domain. */
async function makeFixture() {
  const shop = await makeShop(services, { publicationName: 'Harbour Light', emailAddress: 'office@harbour.test' })
  const actor = await actorOf(services, 'publisher', shop.publisherId)
  const ctx = () => services.as(actor)
  const domain = `quay${++domainCount}.test`
  const address = `readers@${domain}`
  const sender = { senderName: 'Quayside Press', address, replyTo: `help@${domain}` }
  /** The token of the newest link that was emailed to an address. */
  const token = async (to = address) => {
    await runWorker(services)
    const text = mailServer.received.findLast(({ envelope }) => envelope.to[0] === to)?.text ?? ''
    return /token=([\w-]{43})/.exec(text)?.[1] ?? ''
  }
  const publish = async () => {
    const { records: wanted } = await getSender(ctx(), {})
    for (const { name, value } of wanted) records[name] = [value]
    return wanted
  }
  /** Sets the sender, adds its records to DNS and confirms its address. */
  const activate = async () => {
    await saveSender(ctx(), sender)
    await publish()
    await confirmSender(ctx(), { token: await token() })
  }
  /** Sells a subscription. Returns the receipt that the reader gets, and the notice to the publication. */
  const sell = async () => {
    const firstIndex = mailServer.received.length
    const email = `ann${firstIndex}@reader.test`
    await placeOrder(services.as(visitor), orderForm(shop, { email, confirmEmail: email }))
    await runWorker(services)
    const received = mailServer.received.slice(firstIndex)
    const mailTo = (address: string) => received.find(({ envelope }) => envelope.to.includes(address))
    return { receipt: mailTo(email), notice: received.find(({ envelope }) => !envelope.to.includes(email)) }
  }
  const currentState = async () => (await getSender(ctx(), {})).state
  return { shop, actor, ctx, domain, address, sender, token, publish, activate, sell, currentState }
}

const fromOf = (mail: MailServer['received'][number] | undefined) => mail?.from?.value[0]

describe('a publisher’s own sender', () => {
  it('uses its name and reply-to address at once, and its address once it is confirmed and its key is in DNS', async () => {
    const { ctx, address, sender, token, publish, sell, currentState } = await makeFixture()
    expect(await saveSender(ctx(), sender)).toEqual({ isLinkSent: true })
    const link = await token()
    expect(await currentState()).toBe('unverified')
    const before = await sell()
    expect(fromOf(before.receipt)).toEqual({ name: 'Quayside Press', address: 'mail@us.test' })
    expect(before.receipt?.replyTo?.value[0]?.address).toBe(sender.replyTo)
    expect(before.receipt?.raw).not.toContain('DKIM-Signature')

    await confirmSender(ctx(), { token: link })
    expect(await currentState()).toBe('no-key')
    const wanted = await publish()
    expect(wanted.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'DKIM missing',
      'SPF missing',
      'DMARC missing',
    ])
    expect(fromOf((await sell()).receipt)?.address).toBe('mail@us.test')
    expect(await checkSender(ctx(), {})).toEqual({ isAnswered: true })
    const found = await getSender(ctx(), {})
    expect(found).toMatchObject({ state: 'active', checkedAt: services.clock.now })
    expect(found.records.map(({ state }) => state)).toEqual(['found', 'found', 'found'])

    const { receipt, notice } = await sell()
    expect(fromOf(receipt)).toEqual({ name: 'Quayside Press', address })
    // Undeliverable emails come back to the installation.
    expect(receipt?.envelope.from).toBe('mail@us.test')
    // Emails to the publisher's own staff are still sent from the installation's address.
    expect(fromOf(notice)?.address).toBe('mail@us.test')
    expect(notice?.raw).not.toContain('DKIM-Signature')
  })

  it('signs emails with its domain’s key, which is stored encrypted', async () => {
    const { ctx, domain, activate, sell } = await makeFixture()
    await activate()
    const [dkim] = (await getSender(ctx(), {})).records
    const der = Buffer.from(/p=(.+)$/.exec(dkim?.value ?? '')?.[1] ?? '', 'base64')
    const pem = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ type: 'spki', format: 'pem' })
    const { tags, isValid } = verifyDkim((await sell()).receipt?.raw ?? '', pem.toString())
    expect(isValid).toBe(true)
    expect(tags).toMatchObject({ d: domain, a: 'rsa-sha256' })
    expect(dkim?.name).toBe(`${tags.s}._domainkey.${domain}`)
    const [row] = await services.db.query(`SELECT * FROM publisher_senders WHERE domain = :domain`, { domain })
    expect(JSON.stringify(row)).not.toContain('PRIVATE KEY')
  })

  it('falls back to the installation’s address when the record disappears, notifies its publisher once, and recovers with it', async () => {
    const { ctx, shop, address, activate, publish, sell, currentState } = await makeFixture()
    await activate()
    const [dkim] = (await getSender(ctx(), {})).records
    delete records[dkim?.name ?? '']
    services.clock.advance({ hours: 1 })
    await checkSenders(services.as(system), {})
    expect(await currentState()).toBe('lost')
    expect(fromOf((await sell()).receipt)).toEqual({ name: 'Quayside Press', address: 'mail@us.test' })
    services.clock.advance({ hours: 1 })
    await checkSenders(services.as(system), {})
    const notices = (await queuedEmails(services, 'sender-lost')).filter(
      ({ publisherId }) => publisherId === shop.publisherId,
    )
    expect(notices).toHaveLength(1)
    expect(
      mailServer.received.filter(({ subject }) => subject === `Emails are no longer sent from ${address}`),
    ).toHaveLength(1)
    const finding = (await senderFindings(services)).find((candidate) => candidate.address === address)
    expect(finding?.problems).toEqual([`DKIM missing at ${dkim?.name}`])
    await publish()
    await checkSender(ctx(), {})
    expect(await currentState()).toBe('active')
    expect(fromOf((await sell()).receipt)?.address).toBe(address)
  })

  it('gets a new key when APP_SECRET was changed, and tells its publisher which record to add', async () => {
    const { ctx, shop, address, activate, publish, sell } = await makeFixture()
    await activate()
    const [before] = (await getSender(ctx(), {})).records
    const settings = { ...services.settings, appSecret: 'another-secret-of-32-characters-or-so' }
    const ctxWithNewSecret = { ...ctx(), settings }
    await checkSender(ctxWithNewSecret, {})
    const lost = await getSender(ctxWithNewSecret, {})
    expect(lost).toMatchObject({ state: 'lost', verifiedAt: expect.any(Date) })
    expect(lost.records[0]).toMatchObject({ kind: 'DKIM', state: 'missing' })
    expect(lost.records[0]?.name).not.toBe(before?.name)
    expect(fromOf((await sell()).receipt)).toEqual({ name: 'Quayside Press', address: 'mail@us.test' })
    const emails = (await queuedEmails(services, 'sender-lost')).filter((mail) => mail.publisherId === shop.publisherId)
    expect(emails).toHaveLength(1)
    await publish()
    await checkSender(ctxWithNewSecret, {})
    expect(await getSender(ctxWithNewSecret, {})).toMatchObject({ state: 'active', address })
    expect((await senderOfPublisher(ctxWithNewSecret, shop.publisherId))?.own?.address).toBe(address)
  })

  it('does not sign with a new key that nobody has published, also while DNS does not respond', async () => {
    const { ctx, shop, activate } = await makeFixture()
    await activate()
    const settings = { ...services.settings, appSecret: 'another-secret-of-32-characters-or-so' }
    const dns = openMailDns({ server: await startSilentDnsServer(), timeoutMs: 50 })
    const ctxWithNewSecret = { ...ctx(), settings, dns }
    expect(await checkSender(ctxWithNewSecret, {})).toEqual({ isAnswered: false })
    expect((await senderOfPublisher(ctxWithNewSecret, shop.publisherId))?.own).toBeNull()
    expect(await getSender(ctxWithNewSecret, {})).toMatchObject({ state: 'lost', lostAt: services.clock.now })
    await checkSender(ctxWithNewSecret, {})
    const emails = (await queuedEmails(services, 'sender-lost')).filter((mail) => mail.publisherId === shop.publisherId)
    expect(emails).toHaveLength(1)
    await runWorker(services)
    const [dkim] = (await getSender(ctxWithNewSecret, {})).records
    expect(mailServer.received.findLast(({ text }) => text?.includes(dkim?.name ?? 'no record'))).toBeDefined()
  })

  it('is unchanged while DNS does not respond, within the timeout', async () => {
    const { ctx, activate, currentState } = await makeFixture()
    await activate()
    const ctxWithSilentDns = { ...ctx(), dns: openMailDns({ server: await startSilentDnsServer(), timeoutMs: 50 }) }
    expect(await checkSender(ctxWithSilentDns, {})).toEqual({ isAnswered: false })
    expect(await currentState()).toBe('active')
    expect((await getSender(ctx(), {})).dnsProblem).toMatch(/^no answer for .+ in time$/)
    await checkSender(ctx(), {})
    expect((await getSender(ctx(), {})).dnsProblem).toBe('')
  })

  it('gives way to the next domain in the hourly checks while DNS does not respond', async () => {
    const first = await makeFixture()
    const second = await makeFixture()
    await services.db.run(`UPDATE publisher_senders SET address = ''`)
    await saveSender(first.ctx(), first.sender)
    services.clock.advance({ hours: 1 })
    await saveSender(second.ctx(), second.sender)
    const nextDomains = async () => (await sendersToCheck(services, services.clock.now, 1)).map(({ domain }) => domain)
    for (const { domain } of [first, second, first]) {
      services.clock.advance({ hours: 1 })
      expect(await nextDomains()).toEqual([domain])
      const [row] = await sendersToCheck(services, services.clock.now, 1)
      const dns = openMailDns({ server: await startSilentDnsServer(), timeoutMs: 50 })
      if (row) expect(await checkRecords({ ...services.as(system), dns }, row)).toBe(false)
    }
  })

  it('is given up when the mail server refuses it: no email is lost, no reader is marked, and its publisher is notified once', async () => {
    const { ctx, shop, address, activate, sell, currentState } = await makeFixture()
    await activate()
    mailServer.setReplies({
      message: (raw) =>
        raw.includes(`<${address}>`) && /^From:.*@quay/im.test(raw) ? [550, 'Not your sender'] : undefined,
    })
    const { receipt } = await sell()
    expect(fromOf(receipt)).toEqual({ name: 'Quayside Press', address: 'mail@us.test' })
    expect(fromOf((await sell()).receipt)?.address).toBe('mail@us.test')
    expect(await getSender(ctx(), {})).toMatchObject({ state: 'refused', refusedAnswer: '550 Not your sender' })
    const marks = await services.db.query(`SELECT id FROM address_marks WHERE publisher_id = :id`, {
      id: shop.publisherId,
    })
    expect(marks).toEqual([])
    const notices = (await queuedEmails(services, 'sender-refused')).filter(
      (mail) => mail.publisherId === shop.publisherId,
    )
    expect(notices).toHaveLength(1)
    expect((await senderFindings(services)).find((candidate) => candidate.address === address)?.problems).toEqual([
      expect.stringContaining('550 Not your sender'),
    ])
    // A DNS check does not restore it: DNS was correct throughout.
    services.clock.advance({ hours: 2 })
    await checkSenders(services.as(system), {})
    expect(await currentState()).toBe('refused')
    mailServer.setReplies({})
    const dns = openMailDns({ server: await startSilentDnsServer(), timeoutMs: 50 })
    await checkSender({ ...ctx(), dns }, {})
    expect(await getSender(ctx(), {})).toMatchObject({ state: 'refused', refusedAnswer: '550 Not your sender' })
    await checkSender(ctx(), {})
    expect(await getSender(ctx(), {})).toMatchObject({ state: 'active', refusedAt: null, refusedAnswer: '' })
    expect(fromOf((await sell()).receipt)?.address).toBe(address)
  })

  it('is kept when an email is refused from the installation’s address too', async () => {
    const { activate, sell, currentState } = await makeFixture()
    await activate()
    mailServer.setReplies({ data: [550, '5.7.1 Looks like spam'] })
    expect((await sell()).receipt).toBeUndefined()
    mailServer.setReplies({})
    expect(await currentState()).toBe('active')
  })

  it('needs its own proof: a second publisher with the same address confirms it too, and gets its own key', async () => {
    const first = await makeFixture()
    await first.activate()
    const second = await makeFixture()
    await saveSender(second.ctx(), { ...second.sender, address: first.address })
    const token = await second.token(first.address)
    // The link proves the address only for the publisher who requested it.
    await expect(confirmSender(first.ctx(), { token })).rejects.toMatchObject({ kind: 'conflict' })
    await confirmSender(second.ctx(), { token })
    expect(await second.currentState()).toBe('no-key')
    expect(fromOf((await second.sell()).receipt)?.address).toBe('mail@us.test')
    expect(await first.currentState()).toBe('active')
  })

  it('accepts a link once, for a day, and for the address that is set', async () => {
    const { ctx, sender, domain, token, currentState } = await makeFixture()
    await saveSender(ctx(), sender)
    const old = await token()
    await sendSenderLink(ctx(), {})
    const newer = await token()
    expect(newer).not.toBe(old)
    const refused = (linkToken: string) =>
      expect(confirmSender(ctx(), { token: linkToken })).rejects.toMatchObject({ kind: 'conflict' })
    await refused(old)
    await refused('')
    services.clock.advance({ hours: 25 })
    await refused(newer)
    await sendSenderLink(ctx(), {})
    const good = await token()
    await saveSender(ctx(), { ...sender, address: `other@${domain}` })
    await refused(good)
    await confirmSender(ctx(), { token: await token(`other@${domain}`) })
    expect(await currentState()).toBe('no-key')
    // The key belongs to the domain, so its record stays valid.
    await saveSender(ctx(), { ...sender, senderName: 'Another name', address: `other@${domain}` })
    expect(await currentState()).toBe('no-key')
    await expect(sendSenderLink(ctx(), {})).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('limits the links it emails', async () => {
    const { ctx, sender } = await makeFixture()
    await saveSender(ctx(), sender)
    for (let n = 0; n < 4; n++) await sendSenderLink(ctx(), {})
    await expect(sendSenderLink(ctx(), {})).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('refuses header injection and look-alike addresses', async () => {
    const { ctx, shop, sender } = await makeFixture()
    const refused = async (field: string, text: string) =>
      expect(saveSender(ctx(), { ...sender, [field]: text })).rejects.toMatchObject({
        kind: 'invalid',
        fields: { [field]: expect.any(String) },
      })
    for (const name of [
      'Ann\r\nBcc: all@x.test',
      'support@bank.test',
      'Ann <a@b.test>',
      'Ann\u2028X',
      'Ann\u202e',
      'x'.repeat(101),
    ])
      await refused('senderName', name)
    for (const text of ['readers', 'a@b.test\r\nBcc: c@d.test', 'a@b.test, c@d.test', 'ä@quay.test', 'a@localhost'])
      await refused('address', text)
    await refused('replyTo', 'a@b.test\nBcc: c@d.test')
    expect(await PublisherSenders.find(services, { publisherId: shop.publisherId })).toBeNull()
  })

  it('is for its publisher and those who manage it', async () => {
    const { shop, sender } = await makeFixture()
    for (const role of ['admin', 'mailer'] as const) {
      const actor = await actorOf(services, role, shop.publisherId)
      for (const call of [saveSender, getSender, checkSender, sendSenderLink])
        await expect(call(services.as(actor), sender as never)).rejects.toMatchObject({ kind: 'denied' })
    }
    const staff = await actorOf(services, 'pubadmin', shop.publisherId)
    await saveSender(services.as(staff), sender)
    expect(await PublisherSenders.find(services, { publisherId: shop.publisherId })).toMatchObject({
      address: sender.address,
    })
  })

  it('is removed by a blank address', async () => {
    const { ctx, sender, activate, sell, currentState } = await makeFixture()
    await activate()
    await saveSender(ctx(), { ...sender, address: '', senderName: '', replyTo: '' })
    expect(await currentState()).toBe('none')
    const { receipt } = await sell()
    expect(fromOf(receipt)).toEqual({ name: 'Harbour Light', address: 'mail@us.test' })
    expect(receipt?.replyTo?.value[0]?.address).toBe('office@harbour.test')
  })
})
