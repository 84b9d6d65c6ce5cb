import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { openEnd } from '#core/kernel/dates.ts'
import type { AppError } from '#core/kernel/errors.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { allOptedOut } from '#core/readers/opt-outs.rules.ts'
import { deriveReader } from '#core/readers/reader-keys.rules.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { makePromo } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { answerDemoBank } from './answer-demo-bank.ts'
import { confirmOrder } from './confirm-order.ts'
import { orderTexts } from './order-form-problems.rules.ts'
import { Orders } from './orders.rows.ts'
import { placeOrder } from './place-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const buy = (form: object) => placeOrder(services.as(visitor), form)

describe('a sale', () => {
  it('creates the order, the buyer, the reader and the ledger row, and queues the emails', async () => {
    const shop = await makeShop(services)
    const placed = await buy(orderForm(shop, { email: 'Ann@Example.test' }))
    expect(placed).toMatchObject({ state: 'paid', amount: 2999, currency: 'GBP', productName: 'Print, one year' })
    expect(placed.orderNumber).toMatch(/^OD-[0-9A-Z]{7}$/)

    const [order] = await rowsOf(services, 'orders', shop.id)
    expect(order).toMatchObject({
      state: 'paid',
      product_price: 2999,
      discount: 0,
      amount: 2999,
      sub_start_on: '2026-11-21',
      sub_end_on: '2027-11-21',
      buyer_draft: null,
    })
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    expect(buyer).toMatchObject({
      email_key: 'ann@example.test',
      first_sub_start_on: '2026-11-21',
    })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ id: order?.reader_id, buyer_id: buyer?.id }])
    expect(String(buyer?.password_hash)).toMatch(/^\$argon2id\$/)

    const reader = await Readers.find(services, { publicationId: shop.id })
    expect(reader).toMatchObject({
      firstName: 'Ann',
      lastName: "O'Brien",
      fullName: "Mrs Ann O'Brien",
      keyEmail: 'ann@example.test',
      keyPostCode: 'SW1A1AA',
      origin: 'storefront',
      subType: 'print',
      subStartOn: '2026-11-21',
      subEndOn: '2027-11-21',
      subPaid: 2999,
      pubOffers: true,
      partnerOffersSms: false,
    })
    expect(reader?.uniqueReference).toMatch(/^T\d{8,}$/)
    expect(reader?.history).toBe(`21/11/2026 ${placed.orderNumber}: Print, one year, £29.99, 21/11/2026 to 21/11/2027`)

    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      { kind: 'sale', amount: 2999, term_months: 12, service_end_on: '2027-11-21' },
    ])
    expect(await rowsOf(services, 'reader_events', shop.id)).toMatchObject([{ kind: 'added', order_id: order?.id }])
    const queued = (await queuedEmails(services)).filter(({ about }) => about.orderId === order?.id)
    expect(queued.map(({ mail }) => mail)).toEqual(['order-receipt', 'order-notice'])
  })

  it('is paid with the longest names that the form accepts, and cuts the full name of its reader', async () => {
    const shop = await makeShop(services)
    const names = {
      title: 'Right Honourable Dr',
      firstName: 'F'.repeat(100),
      lastName: `${'L'.repeat(78)}😀${'L'.repeat(20)}`,
    }
    expect(await buy(orderForm(shop, names))).toMatchObject({ state: 'paid' })
    const [reader] = await rowsOf(services, 'readers', shop.id)
    expect(reader).toMatchObject({ last_name: names.lastName })
    // The full name is cut before a character that would be split in half.
    expect(reader?.full_name).toBe(`${names.title} ${names.firstName} ${'L'.repeat(78)}`)
  })

  it('records the traffic source of valid names; invalid ones are dropped and do not stop the order', async () => {
    const shop = await makeShop(services)
    const utmSource = 'Newsletter'
    const long = 'x'.repeat(10_000)
    for (const source of [
      { utmSource, utmMedium: 'email', utmCampaign: '<script>alert(1)</script>' },
      { utmSource: long, utmMedium: 'email', utmCampaign: '' },
      { utmSource, utmCampaign: long },
      null,
    ])
      expect(await buy(orderForm(shop, { source }))).toMatchObject({ state: 'paid' })
    const orders = await rowsOf(services, 'orders', shop.id)
    expect(orders.map((order) => [order.utm_source, order.utm_medium, order.utm_campaign])).toEqual([
      ['newsletter', 'email', ''],
      ['', '', ''],
      ['newsletter', '', ''],
      ['', '', ''],
    ])
  })

  it('stores no password and no card number anywhere', async () => {
    const cardNumber = /4242\s?4242/
    const shop = await makeShop(services)
    await buy(orderForm(shop, { password: 'a-most-secret-word' }))
    for (const table of ['orders', 'buyers', 'reader_events', 'ledger_entries']) {
      const text = JSON.stringify(await rowsOf(services, table, shop.id))
      expect(text).not.toContain('a-most-secret-word')
      expect(text).not.toMatch(cardNumber)
    }
    const payments = JSON.stringify(await services.db.query('SELECT * FROM payments'))
    expect(payments).not.toMatch(cardNumber)
  })

  it('uses the price band of the country, and delivers to another address on request', async () => {
    const shop = await makeShop(services)
    const shipping = {
      firstName: 'Uwe',
      lastName: 'Groß',
      addressOne: 'Hauptstr. 5',
      city: 'Berlin',
      postCode: '10115',
    }
    const placed = await buy(
      orderForm(shop, { country: 'DE', plan: '1PN39.99', isDeliveredToBilling: false, shipping }),
    )
    expect(placed).toMatchObject({ amount: 3999, currency: 'EUR' })
    const reader = await Readers.find(services, { publicationId: shop.id })
    expect(reader).toMatchObject({ lastName: 'Groß', city: 'Berlin', country: 'DE', subCurrency: 'EUR' })
  })

  it('stores British postcodes in their usual form, in the order and in the record', async () => {
    const shop = await makeShop(services)
    const billing = { addressOne: '1 Quay Street', city: 'London', postCode: 'sw1a1aa' }
    const shipping = { ...billing, firstName: 'Tom', lastName: 'Lee', postCode: 'ba1  1aa' }
    const form = orderForm(shop, { billing, isDeliveredToBilling: false, shipping })
    const { orderId } = await buy(form)
    expect(await Orders.find(services, { id: orderId })).toMatchObject({
      billing: { postCode: 'SW1A 1AA' },
      shipping: { postCode: 'BA1 1AA' },
    })
    expect(await Readers.find(services, { publicationId: shop.id })).toMatchObject({ postCode: 'BA1 1AA' })
    expect(await buy(form)).toMatchObject({ orderId })
  })

  it('stores a recurring order as an agreement that says when it renews', async () => {
    const shop = await makeShop(services)
    await buy(orderForm(shop, { plan: '1PR25.00' }))
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'active', renews_on: '2027-11-21', term_months: 12 },
    ])
  })
})

describe('submitting the same form', () => {
  it('ten times at once creates one order, one charge, one reader, one ledger row and one receipt', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop)
    const placed = await Promise.all(Array.from({ length: 10 }, () => buy(form)))
    expect(new Set(placed.map(({ orderNumber }) => orderNumber)).size).toBe(1)
    expect(placed.every(({ state }) => state === 'paid')).toBe(true)
    for (const table of ['orders', 'buyers', 'readers', 'ledger_entries', 'reader_events']) {
      expect(await rowsOf(services, table, shop.id), table).toHaveLength(1)
    }
    const jobs = await services.db.query(`SELECT id FROM jobs WHERE dedupe_key = :key`, {
      key: `receipt:${placed[0]?.orderId}`,
    })
    expect(jobs).toHaveLength(1)
  })

  it('again later returns the existing order, and reveals nothing to somebody else', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop)
    const first = await buy(form)
    expect(await buy(form)).toEqual(first)
    await expect(
      buy({ ...form, email: 'thief@example.test', confirmEmail: 'thief@example.test' }),
    ).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('a form that is sent again with another password', () => {
  // A reloaded form has no password, so it is typed again.
  async function placePending(password: string) {
    const shop = await makeShop(services)
    const form = orderForm(shop, { password, payment: { details: { cardNumber: demoCards.needsAction } } })
    const placed = await buy(form)
    expect(placed.state).toBe('pending')
    const logIn = (typed: string) =>
      logInBuyer(services.as(visitor), { publicationId: shop.id, email: form.email, password: typed })
    const pay = async () => {
      await answerDemoBank(services.as(visitor), { ...placed, answer: 'approve' })
      expect(await confirmOrder(services.as(visitor), placed)).toMatchObject({ state: 'paid' })
    }
    return { shop, form, placed, pay, logIn }
  }

  it('is the same order, and its account has the password that was typed last', async () => {
    const { shop, form, placed, pay, logIn } = await placePending('harbour light 1')
    expect(await buy({ ...form, password: 'harbour light 2' })).toEqual(placed)
    await pay()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid', buyer_draft: null }])
    await expect(logIn('harbour light 1')).rejects.toMatchObject({ kind: 'invalid' })
    expect(await logIn('harbour light 2')).toMatchObject({ publicationId: shop.id })
  })

  it('is refused if it is too short, and keeps the previous password', async () => {
    const { shop, form, pay, logIn } = await placePending('harbour light 1')
    await expect(buy({ ...form, password: 'short' })).rejects.toMatchObject({ fields: { password: expect.anything() } })
    await pay()
    expect(await logIn('harbour light 1')).toMatchObject({ publicationId: shop.id })
  })

  it('changes nothing once it is paid', async () => {
    const { shop, form, pay, logIn } = await placePending('harbour light 1')
    await pay()
    expect(await buy({ ...form, password: 'harbour light 2' })).toMatchObject({ state: 'paid' })
    expect(await logIn('harbour light 1')).toMatchObject({ publicationId: shop.id })
  })
})

describe('a form that is sent again with other details', () => {
  const shipping = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
  const changes = {
    'another billing address': { billing: { addressOne: '2 Quay Street', city: 'London', postCode: 'SW1A 1AA' } },
    'another delivery address': { isDeliveredToBilling: false, shipping },
    'another name': { firstName: 'Anne' },
    'a gift': { isGift: true, isDeliveredToBilling: false, shipping },
    'a promo code': { promoCode: 'SPRING' },
  }

  it.each(Object.entries(changes))('is not the same order: %s', async (_, changed) => {
    const shop = await makeShop(services)
    await makePromo(services, shop.id, 'SPRING')
    const form = orderForm(shop)
    const first = await buy(form)
    await expect(buy({ ...form, ...changed })).rejects.toMatchObject({ kind: 'conflict' })
    await buy({ ...form, ...changed, idempotencyKey: randomUUID() })
    expect(await buy(form)).toEqual(first)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(2)
  })

  it('takes a message to the recipient of a gift only with their email', async () => {
    const shop = await makeShop(services)
    const shipping = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    const gift = { isGift: true, isDeliveredToBilling: false, shipping, giftMessage: 'Enjoy' }
    await expect(buy(orderForm(shop, gift))).rejects.toMatchObject({ fields: { giftEmail: orderTexts.noGiftEmail } })
    expect(await buy(orderForm(shop, { ...gift, giftEmail: 'tom@example.test' }))).toMatchObject({ state: 'paid' })
    expect(await buy(orderForm(shop, { ...gift, giftMessage: ' ' }))).toMatchObject({ state: 'paid' })
  })

  it('tells the recipient of a gift how to read the digital part of it, and the buyer nothing of it', async () => {
    const digitalEditionLink = 'https://read.example.test/tide'
    const shop = await makeShop(services, { digitalEditionLink })
    const gift = { isGift: true, isDeliveredToBilling: false, shipping, giftEmail: 'tom@example.test' }
    const textOf = async (name: 'gift-notice' | 'order-receipt', plan: string) => {
      await buy(orderForm(shop, { ...gift, plan }))
      const about = (await queuedEmails(services, name)).at(-1)?.about
      await mailSender(name)(services.as({ kind: 'system' }), about)
      return (await services.mail.devMailbox?.list(1))?.[0]?.text
    }
    const notice = await textOf('gift-notice', '1BN39.99')
    expect(notice).toContain('Your gift includes the digital edition. Log in with tom@example.test.')
    expect(notice).toContain(digitalEditionLink)
    expect(await textOf('order-receipt', '1BN39.99')).not.toContain(digitalEditionLink)
    expect(await textOf('gift-notice', '1PN29.99')).not.toMatch(/digital/i)
  })

  it('is the same order with the same gift and code, however the code is written', async () => {
    const shop = await makeShop(services)
    await makePromo(services, shop.id, 'SPRING')
    const gift = { isGift: true, isDeliveredToBilling: false, shipping, giftEmail: 'tom@example.test' }
    const form = orderForm(shop, { ...gift, giftMessage: 'Enjoy', promoCode: 'SPRING' })
    const first = await buy(form)
    expect(await buy({ ...form, promoCode: ' spring' })).toEqual(first)
    await expect(buy({ ...form, giftMessage: 'Happy birthday' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(buy({ ...form, promoCode: '' })).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('a decline', () => {
  it('leaves no buyer, reader or ledger row, is repeated for the same form, and does not prevent a new attempt', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop, { payment: { details: { cardNumber: '4000 0000 0000 0002' } } })
    for (let n = 0; n < 2; n++) {
      await expect(buy(form)).rejects.toMatchObject({
        kind: 'declined',
        message: 'Sorry your payment has been declined. Please try with another payment method',
      })
    }
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'declined' }])
    for (const table of ['buyers', 'readers', 'ledger_entries'])
      expect(await rowsOf(services, table, shop.id)).toEqual([])
    await expect(buy(orderForm(shop))).resolves.toMatchObject({ state: 'paid' })
  })
})

describe('an order alongside a running subscription', () => {
  const unconfirmed = { isSecondMeant: 'false' }

  it('needs a confirmation, whatever is ordered, and is accepted with it', async () => {
    const shop = await makeShop(services)
    const email = 'twice@example.test'
    await buy(orderForm(shop, { ...unconfirmed, email }))
    const errorsFor = async (fields: object) =>
      await buy(orderForm(shop, { ...unconfirmed, email, ...fields })).catch((error: AppError) => error.fields)
    expect(await errorsFor({})).toEqual({
      isSecondMeant: 'You have Print until 21/11/2027. This order continues it from 22/11/2027.',
    })
    expect(await errorsFor({ plan: '1BN39.99' })).toEqual({
      isSecondMeant:
        'You have Print until 21/11/2027. This order changes it to Print and digital at once and continues it from 22/11/2027.',
    })
    const second = { plan: '2DN2.99' }
    expect(await errorsFor(second)).toEqual({
      isSecondMeant: 'You have Print until 21/11/2027. This order is for a second subscription alongside it.',
    })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
    await buy(orderForm(shop, { ...second, email, isSecondMeant: 'true' }))
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(2)
  })

  it('needs a confirmation from a logged-in buyer, whose form shows what they have, only for the same product', async () => {
    const shop = await makeShop(services)
    const email = 'own@example.test'
    await buy(orderForm(shop, { ...unconfirmed, email }))
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
    const order = (fields: object) =>
      placeOrder(services.as(actor), orderForm(shop, { ...unconfirmed, email, ...fields }))
    await expect(order({})).rejects.toMatchObject({
      fields: { isSecondMeant: 'You have Print until 21/11/2027. This order continues it from 22/11/2027.' },
    })
    await expect(order({ plan: '2DN2.99' })).resolves.toMatchObject({ state: 'paid' })
    await expect(order({ isSecondMeant: 'true' })).resolves.toMatchObject({ state: 'paid' })
  })

  it('needs no confirmation from a new buyer, for a gift, by the API or after the end; reveals nothing without password', async () => {
    const shop = await makeShop(services)
    const email = 'once@example.test'
    await buy(orderForm(shop, { ...unconfirmed, email }))
    const problems = await buy(orderForm(shop, { ...unconfirmed, email, password: 'other-word' })).catch(
      (error: AppError) => error.fields,
    )
    expect(Object.keys(problems ?? {})).toEqual(['password'])
    const shipping = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    await buy(orderForm(shop, { ...unconfirmed, email, isGift: true, isDeliveredToBilling: false, shipping }))
    await buy(orderForm(shop, { email }))
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-20' WHERE publication_id = :id`, { id: shop.id })
    await expect(buy(orderForm(shop, { ...unconfirmed, email }))).resolves.toMatchObject({ state: 'paid' })
    await services.db.run(`UPDATE readers SET sub_end_on = :openEnd WHERE publication_id = :id`, {
      id: shop.id,
      openEnd,
    })
    await expect(buy(orderForm(shop, { ...unconfirmed, email }))).rejects.toMatchObject({
      fields: { isSecondMeant: 'You have Print until further notice.' },
    })
  })
})

describe('a returning buyer', () => {
  it('needs the right password and extends the same reader from the end of the running term', async () => {
    const shop = await makeShop(services)
    await buy(orderForm(shop, { email: 'back@example.test', password: 'first-word' }))
    await expect(buy(orderForm(shop, { email: 'BACK@example.test', password: 'other-word' }))).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        password: 'This email already has an account here. Enter its password to buy as a returning customer.',
      },
    })
    await buy(orderForm(shop, { email: 'back@example.test', password: 'first-word' }))
    const orders = await rowsOf(services, 'orders', shop.id)
    expect(orders[1]).toMatchObject({ sub_start_on: '2027-11-22', sub_end_on: '2028-11-21' })
    // The first term was renewed before its end.
    expect(orders.map((order) => order.renewed_after)).toEqual([0, null])
    expect(orders.map((order) => Boolean(order.is_renewal))).toEqual([false, true])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { sub_start_on: '2026-11-21', sub_end_on: '2028-11-21', sub_anchor_day: 21 },
    ])
  })

  it('is a new buyer at another publication', async () => {
    const here = await makeShop(services)
    const there = await makeShop(services)
    await buy(orderForm(here, { email: 'two@example.test', password: 'here-word' }))
    await expect(buy(orderForm(there, { email: 'two@example.test', password: 'there-word' }))).resolves.toMatchObject({
      state: 'paid',
    })
  })

  it('gets a second reader record alongside a running subscription to another product', async () => {
    const shop = await makeShop(services)
    await buy(orderForm(shop, { email: 'both@example.test' }))
    await buy(orderForm(shop, { email: 'both@example.test', plan: '2DN2.99' }))
    const readers = await rowsOf(services, 'readers', shop.id)
    expect(readers.map((row) => [row.sub_type, row.sub_end_on])).toEqual([
      ['print', '2027-11-21'],
      ['digital', '2026-12-21'],
    ])
    expect(new Set(readers.map((row) => row.unique_reference)).size).toBe(2)
  })
})

describe('an imported reader', () => {
  const importReader = async (publicationId: number, fields: object) => {
    const identity = {
      firstName: 'Ann',
      lastName: "O'Brien",
      fullName: "Ann O'Brien",
      email: 'ann@example.test',
      companyName: '',
      addressOne: 'x',
      addressTwo: '',
      addressThree: '',
      addressFour: '',
      city: '',
      postCode: 'sw1a 1aa',
      country: 'GB',
    }
    return Readers.insert(services, {
      ...identity,
      ...deriveReader(identity, 'GB'),
      ...allOptedOut(),
      publicationId,
      uniqueReference: 'OLD0000001',
      jobTitle: 'Skipper',
      subStartOn: '2020-01-01',
      subEndOn: '2027-02-01',
      subRenewOn: '2027-02-01',
      subType: 'print',
      origin: 'file',
      ...fields,
    })
  }

  it('is matched by email, surname and postcode, keeps its reference and continues from its end', async () => {
    const shop = await makeShop(services)
    await importReader(shop.id, {})
    await buy(orderForm(shop, { email: 'ANN@example.test' }))
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { unique_reference: 'OLD0000001', job_title: 'Skipper', origin: 'file', sub_end_on: '2028-02-01', version: 2 },
    ])
    const [event] = await rowsOf(services, 'reader_events', shop.id)
    expect(event).toMatchObject({ kind: 'subscribed', start_on: '2027-02-02' })
    expect(JSON.stringify(event?.before)).toContain('partnerOffersSms')
  })

  it('is not matched when the surname differs or it is deactivated, and keeps "until further notice"', async () => {
    const other = await makeShop(services)
    await importReader(other.id, { keySurname: 'smith' })
    await importReader(other.id, { uniqueReference: 'OLD0000002', isDeleted: true })
    await buy(orderForm(other, { email: 'ann@example.test' }))
    expect(await rowsOf(services, 'readers', other.id)).toHaveLength(3)
    const openEndShop = await makeShop(services)
    await importReader(openEndShop.id, { subEndOn: openEnd })
    await buy(orderForm(openEndShop, { email: 'ann@example.test' }))
    expect(await rowsOf(services, 'readers', openEndShop.id)).toMatchObject([{ sub_end_on: openEnd }])
    expect(await rowsOf(services, 'orders', openEndShop.id)).toMatchObject([
      { sub_start_on: '2026-11-21', sub_end_on: '2027-11-21' },
    ])
  })
})

describe('a free plan', () => {
  it('is granted without a charge, until further notice, if the publication allows it and its questions are answered with Yes', async () => {
    const shop = await makeShop(services, {
      digitalIsFree: true,
      questionA: 'Do you own a boat?',
      questionC: 'Which one?',
    })
    const form = { plan: 'FDN', answers: { A: 'No', C: '' } }
    await expect(buy(orderForm(shop, form))).rejects.toMatchObject({
      fields: { 'answers.A': 'Sorry, you do not qualify for a free subscription', 'answers.C': 'Required' },
    })
    const charges = () => services.db.query(`SELECT COUNT(*) AS n FROM demo_charges`)
    const before = await charges()
    const placed = await buy(orderForm(shop, { ...form, answers: { A: 'YES', C: 'A dinghy' } }))
    expect(placed).toMatchObject({ state: 'paid', amount: 0 })
    expect(await charges()).toEqual(before)
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { sub_type: 'digital', sub_end_on: openEnd, sub_paid: null, answer_a: 'Yes', answer_c: 'A dinghy' },
    ])
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([
      { payment_type: 'Free', amount: 0, term_months: null },
    ])
  })
})
