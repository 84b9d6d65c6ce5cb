import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { Buyers } from '#core/buyers/buyers.rows.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { upsertMailText } from '#core/emails/mail-texts.rows.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { turnRenewalOff } from '#core/payments/turn-renewal-off.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { mailSender } from '#tests/support/emails.ts'
import { makeBuyer, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

/** Emails to a publication's readers are in the language they ordered in, under the publication's name. */

const services = await openTestServices()
const receiptText = 'Thank you for coming aboard.'
const asVisitor = () => services.as(visitor)
const shop = await makeShop(services, {
  publicationName: 'Harbour Light',
  digitalEditionLink: 'https://read.example.test/',
})

await upsertMailText(
  services.as({ kind: 'system' }),
  { publicationId: shop.id, mail: 'order-receipt', language: '' },
  { subject: '', body: receiptText },
)

async function emailsTo(email: string) {
  await runWorker(services)
  return ((await services.mail.devMailbox?.list(100)) ?? []).filter(({ to }) => to === email).reverse()
}

const languageOf = async (email: string) =>
  (await Buyers.find(services, { publicationId: shop.id, emailKey: email }))?.language

it('an order in German: its language is stored, its receipt and all later emails are German, the publisher’s own text is unchanged', async () => {
  const email = 'anna@example.test'
  const shipping = { firstName: 'Jo', lastName: 'Deck', addressOne: 'Kai 1', city: 'London', postCode: 'SW1A 1AA' }
  const { orderId, orderNumber } = await placeOrder(
    asVisitor(),
    orderForm(shop, { email, language: 'de', plan: '1PR25.00', shipping, isDeliveredToBilling: false }),
  )
  expect((await Orders.find(services, { id: orderId }))?.language).toBe('de')
  expect(await languageOf(email)).toBe('de')
  const actor = {
    kind: 'buyer',
    buyerId: (await Buyers.find(services, { emailKey: email }))?.id ?? 0,
    publicationId: shop.id,
  } as const
  const [agreement] = await ownAgreements(services.as(actor), {})
  await turnRenewalOff(services.as(actor), { agreementId: agreement?.id })

  const emails = await emailsTo(email)
  const mailOf = (wantedSubject: string) => emails.find(({ subject }) => subject === wantedSubject)
  const receipt = mailOf(`Ihre Bestellung ${orderNumber}: Harbour Light`)
  const notice = mailOf('Ihre automatische Verlängerung ist ausgeschaltet: Harbour Light')
  expect(emails).toHaveLength(2)
  expect(receipt?.fromName).toBe('Harbour Light')
  expect(receipt?.html).toContain('<html lang="de-DE">')
  for (const words of [
    "Guten Tag Mrs Ann O'Brien,",
    'Thank you for coming aboard.',
    'Abonnement: Print, ein Jahr, verlängert sich automatisch',
    'Verlängert sich am: 21.11.2027 für 25,00\u00A0£',
    'Bezahlter Betrag: 25,00\u00A0£',
    'Vereinigtes Königreich',
  ])
    expect(receipt?.text).toContain(words)
  expect(notice?.text).toContain('Wann: 21.11.2026 10:00 (Europe/London)')
  expect(notice?.text).toContain('Läuft bis: 21.11.2027')
})

it('days are in the format of the order’s country', async () => {
  const email = 'beth@example.test'
  await placeOrder(asVisitor(), orderForm(shop, { email, language: 'en', country: 'US', plan: '1PN49.99' }))
  expect((await emailsTo(email))[0]?.text).toContain('Ends: 11/21/2027')
})

it('a gift’s recipient is notified in the giver’s language', async () => {
  const shipping = {
    title: 'M.',
    firstName: 'Luc',
    lastName: 'Quai',
    addressOne: '1 Quai',
    city: 'Londres',
    postCode: 'SW1A 1AA',
  }
  const gift = { isGift: true, isDeliveredToBilling: false, shipping, giftEmail: 'luc@example.test' }
  await placeOrder(asVisitor(), orderForm(shop, { ...gift, language: 'fr' }))
  const [notice] = await emailsTo('luc@example.test')
  expect(notice?.subject).toBe("Mrs Ann O'Brien vous offre Harbour Light")
  expect(notice?.text).toContain('Bonjour M. Luc Quai,')
  expect(notice?.text).toContain('Fin\u00A0: 21/11/2027')
})

it('an emailed link is in the language of the page it was requested on, or else of the buyer’s last log-in', async () => {
  const { id: buyerId, email } = await makeBuyer(services, shop.id, { language: 'es' })
  await requestBuyerReset(asVisitor(), { publicationId: shop.id, email, language: 'it' })
  await logInBuyer(asVisitor(), { publicationId: shop.id, email, password: 'masthead', language: 'nl' })
  expect(await languageOf(email)).toBe('nl')
  await logInBuyer(asVisitor(), { publicationId: shop.id, email, password: 'masthead' })
  expect(await languageOf(email)).toBe('nl')
  await mailSender('buyer-reset-link')(services.as(system), { buyerId, key: 'from-an-earlier-release' })
  expect((await emailsTo(email)).map(({ subject }) => subject).sort()).toEqual([
    'Imposti una nuova password per Harbour Light',
    'Stel een nieuw wachtwoord in voor Harbour Light',
  ])
})

it('when no language is stored, as with orders of earlier releases, emails are English', async () => {
  const email = 'carl@example.test'
  const { orderId } = await placeOrder(asVisitor(), orderForm(shop, { email }))
  expect((await Orders.find(services, { id: orderId }))?.language).toBeNull()
  expect((await emailsTo(email))[0]?.text).toContain('Ends: 21/11/2027')
  await expect(placeOrder(asVisitor(), orderForm(shop, { language: 'xx' }))).rejects.toMatchObject({
    fields: { language: 'Must be one of en, fr, de, es, it, nl, pt' },
  })
})

it('nobody changes the language of an account by ordering under its email without its password', async () => {
  const { email } = await makeBuyer(services, shop.id, { language: 'pt' })
  const begin = async () => ({
    state: 'requires-action' as const,
    reference: 'pi_wallet',
    step: { kind: 'confirm' as const, clientSecret: 's', publishableKey: 'pk', isDirectDebit: false },
  })
  const { demo } = services.payments
  if (!demo) throw new Error('The tests run with demo payments')
  const ctx = { ...asVisitor(), payments: { ...services.payments, demo: { ...demo, begin } } }
  const { orderId } = await placeOrder(ctx, orderForm(shop, { email, language: 'de' }))
  // As after an order by wallet, which asks for no password.
  const draft = (await Orders.find(services, { id: orderId }))?.buyerDraft
  if (!draft) throw new Error('The order has no draft')
  await Orders.update(services.as(system), { id: orderId }, { buyerDraft: { ...draft, isUnproven: true } })
  const result = { state: 'paid', reference: 'pi_wallet', money: { amount: 2999, currency: 'GBP' } } as const
  expect(await settleOrder(services.as(system), { orderId, result })).toBe('paid')
  expect(await languageOf(email)).toBe('pt')
})

it('the link to set a first password is in the language of an account without a password', async () => {
  const { email } = await makeBuyer(services, shop.id, { email: 'gerda@example.test', language: 'de' })
  const readerId = await makeReader(services, shop.id, { subType: 'digital', email, subEndOn: '2099-12-31' })
  await mailSender('claim-link')(services.as(system), { readerId, key: 'one' })
  expect((await emailsTo(email)).at(-1)?.subject).toBe('Wählen Sie ein Passwort, um Harbour Light zu lesen')
})
