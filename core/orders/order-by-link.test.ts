import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { everyProduct } from '#core/promos/promo.rules.ts'
import { PromoCodes } from '#core/promos/promo-codes.rows.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { type ReaderRow, Readers } from '#core/readers/readers.rows.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { effortOfReader } from '#core/series/effort-of-reader.query.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { renewalLinkKey } from '#core/series/renewal-link.ts'
import { actorOf, makePromo, operator } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { orderByLink } from './order-by-link.ts'
import { answerLink, recordLinkUsed, renewalLinkPage } from './renewal-link.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  services.clock.now = new Date('2026-11-21T12:00:00Z')
  await services.db.run(`DELETE FROM rate_limits`)
})

const visiting = () => services.as(visitor)
const ann = {
  title: 'Mrs',
  firstName: 'Ann',
  lastName: 'Lee',
  fullName: 'Mrs Ann Lee',
  email: 'ann@example.test',
  addressOne: '1 Quay Street',
  city: 'Falmouth',
  postCode: 'TR11 3LH',
  country: 'GB',
  telephone: '0123',
}

/** A shop with an imported reader whose print ends on 31 December 2026, and the link in a reminder about it. */
async function makeFixture(fields: Partial<ReaderRow> = {}, effort: Parameters<typeof makeEffort>[2] = {}) {
  const shop = await makeShop(services)
  const readerId = await makeReader(services, shop.id, { ...ann, ...fields })
  const { id: effortId, key } = await makeEffort(services, readerId, effort)
  const link = { urlKey: shop.urlKey, key }
  const prove = (answer = 'tr113lh', from = '') =>
    answerLink(from ? { ...visiting(), origin: { entryPoint: 'web', address: from } } : visiting(), {
      ...link,
      answer,
    })
  const form = (more: Record<string, unknown> = {}) => {
    const { addressOne, city, postCode } = ann
    const { password: _, confirmEmail: __, ...typed } = orderForm(shop, { email: ann.email, plan: '1PN29.99' })
    return {
      ...typed,
      ...link,
      title: 'Mrs',
      firstName: 'Ann',
      lastName: 'Lee',
      billing: { addressOne, city, postCode },
      ...more,
    }
  }
  const buy = async (more: Record<string, unknown> = {}) => {
    const { proof } = await prove()
    return orderByLink(visiting(), form({ proof, ...more }))
  }
  const record = () => Readers.find(services, { id: readerId })
  return { shop, readerId, effortId, key, link, prove, form, buy, record }
}

describe('the page behind a renewal link', () => {
  it('shows plan and price but no personal data before the postcode is given; then all of it', async () => {
    const { link, prove, readerId, effortId } = await makeFixture()
    const page = await renewalLinkPage(visiting(), link)
    expect(page).toMatchObject({
      status: 'good',
      country: 'GB',
      questionField: 'postCode',
      opened: null,
      offer: { plan: { code: '1PN29.99', currency: 'GBP' }, promo: null },
    })
    expect(JSON.stringify(page)).not.toMatch(/Ann|Lee|Quay|Falmouth|TR11|2026|example/)
    expect((await ReaderEfforts.find(services, { id: effortId }))?.openedAt).toBeNull()

    const { proof, seconds } = await prove(' TR11-3lh. ')
    expect((await ReaderEfforts.find(services, { id: effortId }))?.openedAt).toEqual(services.now())
    expect(seconds).toBe(3600)
    const { opened } = await renewalLinkPage(visiting(), { ...link, proof })
    expect(opened?.profile).toMatchObject({
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@example.test',
      mobile: '0123',
      isDeliveredToBilling: true,
      delivery: { addressOne: '1 Quay Street', postCode: 'TR11 3LH' },
    })
    expect(opened).toMatchObject({ endsOn: '2026-12-31', recipient: null })
    expect(opened?.plans.find(({ code }) => code === '1PN29.99')).toMatchObject({
      startOn: '2027-01-01',
      endOn: '2027-12-31',
    })
    // While print runs, digital alone would need a separate record.
    expect(opened?.plans.map(({ product }) => product)).not.toContain('digital')

    services.clock.now = new Date('2026-11-21T13:00:01Z')
    expect((await renewalLinkPage(visiting(), { ...link, proof })).opened).toBeNull()
    services.clock.now = new Date('2026-11-21T12:30:00Z')
    await Readers.update(services, { id: readerId }, { postCode: 'SW1A 1AA' })
    expect((await renewalLinkPage(visiting(), { ...link, proof })).opened).toBeNull()
  })

  it('is not opened by a made-up key, one of another publication, or the proof of another link', async () => {
    const mine = await makeFixture()
    const other = await makeFixture()
    const { key } = mine.link
    for (const forged of [
      `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      key.replace(/^1\.\w+/, '1.1'),
      `2${key.slice(1)}`,
      '',
    ])
      await expect(renewalLinkPage(visiting(), { ...mine.link, key: forged })).rejects.toMatchObject({
        kind: 'notFound',
      })
    await expect(renewalLinkPage(visiting(), { ...other.link, key })).rejects.toMatchObject({ kind: 'notFound' })
    // Signed for the other publication, but for a reader who is not in it.
    const moved = renewalLinkKey(services.settings.appSecret, { publicationId: other.shop.id, effortId: mine.effortId })
    await expect(renewalLinkPage(visiting(), { ...other.link, key: moved })).rejects.toMatchObject({ kind: 'notFound' })
    const { proof } = await other.prove()
    expect((await renewalLinkPage(visiting(), { ...mine.link, proof })).opened).toBeNull()
    await expect(orderByLink(visiting(), mine.form({ proof }))).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('limits postcode attempts per address and per record', async () => {
    const { prove, link } = await makeFixture()
    for (let n = 0; n < 6; n++)
      await expect(prove(`SW1A ${n}AA`, '192.0.2.1')).rejects.toMatchObject({
        fields: { answer: 'This is not the postcode that we have on file' },
      })
    await expect(prove('TR11 3LH', '192.0.2.1')).rejects.toMatchObject({ kind: 'tooMany' })
    for (let n = 0; n < 14; n++)
      await expect(prove('SW1A 1AA', `192.0.2.${n + 2}`)).rejects.toMatchObject({ kind: 'invalid' })
    // Each further attempt requires a captcha, so that strangers cannot lock the owner out.
    await expect(prove('TR11 3LH', '192.0.2.77')).rejects.toMatchObject({ fields: { captcha: expect.any(String) } })
    expect((await renewalLinkPage(visiting(), link)).opened).toBeNull()
  })

  it.each([
    ['city', { postCode: '' }, 'FALMOUTH', true],
    ['lastName', { postCode: '', city: '' }, 'lee', false],
    ['email', { postCode: '', city: '', lastName: '', firstName: '', fullName: '' }, 'Ann@example.test', false],
  ] as const)('asks for the %s when there is no postcode', async (questionField, fields, answer, isShown) => {
    const { link, prove } = await makeFixture(fields)
    expect(await renewalLinkPage(visiting(), link)).toMatchObject({ status: 'good', questionField, opened: null })
    const { proof } = await prove(answer)
    const { opened } = await renewalLinkPage(visiting(), { ...link, proof })
    expect(opened?.profile.delivery?.addressOne).toBe(isShown ? '1 Quay Street' : '')
  })

  it('records the first use', async () => {
    const { link, effortId } = await makeFixture()
    await recordLinkUsed(visiting(), link)
    const first = services.now()
    services.clock.now = new Date('2026-11-22T12:00:00Z')
    await recordLinkUsed(visiting(), link)
    expect((await ReaderEfforts.find(services, { id: effortId }))?.openedAt).toEqual(first)
  })
})

describe('a link that can no longer be used', () => {
  const statusOf = async (link: { urlKey: string; key: string }) => {
    const page = await renewalLinkPage(visiting(), link)
    expect(page).toMatchObject({ offer: null, opened: null })
    return page.status
  }

  it('shows why: renewed, expired, removed, closed, nothing on sale', async () => {
    const { link, readerId, shop, form, prove } = await makeFixture()
    const { proof } = await prove()
    const expectRefused = () =>
      expect(orderByLink(visiting(), form({ proof }))).rejects.toMatchObject({ kind: 'conflict' })
    const setEnd = (subEndOn: string) => Readers.update(services, { id: readerId }, { subEndOn })
    await setEnd('2027-12-31')
    expect(await statusOf(link)).toBe('renewed')
    await expectRefused()
    services.clock.now = new Date('2028-01-01T12:00:00Z')
    expect(await statusOf(link)).toBe('gone')
    services.clock.now = new Date('2026-11-21T12:00:00Z')
    await setEnd('2026-12-31')
    services.clock.now = new Date('2028-01-01T12:00:00Z')
    expect(await statusOf(link)).toBe('over')
    services.clock.now = new Date('2026-11-21T12:00:00Z')
    await services.db.run(`DELETE FROM publication_prices WHERE publication_id = :id`, { id: shop.id })
    expect(await statusOf(link)).toBe('unsold')
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    await deactivateReader(staff, { id: readerId })
    expect(await statusOf(link)).toBe('gone')
    await removeReader(staff, { id: readerId })
    expect(await statusOf(link)).toBe('gone')
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, { no: false, id: shop.publisherId })
    expect(await statusOf(link)).toBe('closed')
    await expectRefused()
  })

  it('tells a reader who renewed and was deactivated since that the subscription has ended', async () => {
    const { link, buy, readerId, shop } = await makeFixture()
    expect(await buy()).toMatchObject({ state: 'paid' })
    expect(await statusOf(link)).toBe('renewed')
    await deactivateReader(services.as(await actorOf(services, 'publisher', shop.publisherId)), { id: readerId })
    expect(await statusOf(link)).toBe('gone')
  })

  it.each([-30, -14])('follows a merge, by the link of either record (%i), and renews it once', async (dayOffset) => {
    const { shop, readerId, link, prove, buy } = await makeFixture({}, { dayOffset: -30 })
    const otherId = await makeReader(services, shop.id, { ...ann })
    const { key } = await makeEffort(services, otherId, { dayOffset })
    const { survivorId } = await mergeReaders(services.as(operator), {
      publicationId: shop.id,
      readerIds: [readerId, otherId],
    })
    const otherLink = { ...link, key }
    for (const either of [link, otherLink])
      expect(await renewalLinkPage(visiting(), either)).toMatchObject({ status: 'good', questionField: 'postCode' })
    await prove()
    expect(await buy()).toMatchObject({ state: 'paid' })
    expect(await Readers.find(services, { id: survivorId })).toMatchObject({ subEndOn: '2027-12-31' })
    for (const either of [link, otherLink])
      expect(await renewalLinkPage(visiting(), either)).toMatchObject({ status: 'renewed' })
  })

  it('opens its own record again once the merge is undone', async () => {
    const { shop, readerId } = await makeFixture({}, { dayOffset: -30 })
    const otherId = await makeReader(services, shop.id, { ...ann })
    const { id } = await makeEffort(services, otherId, { dayOffset: -30 })
    const ids = { publicationId: shop.id, readerIds: [readerId, otherId] }
    const { mergeId, survivorId } = await mergeReaders(services.as(operator), ids)
    expect(survivorId).toBe(readerId)
    expect(await effortOfReader(services, id)).toMatchObject({ readerId, status: 'open' })
    await undoMerge(services.as(operator), { mergeId })
    expect(await effortOfReader(services, id)).toMatchObject({ id, readerId: otherId, status: 'open' })
  })

  it('shows that the subscription renews automatically', async () => {
    const { link, buy, readerId } = await makeFixture()
    await buy({ plan: '1PR25.00' })
    const record = await Readers.find(services, { id: readerId })
    expect(record?.subEndOn).toBe('2027-12-31')
    const next = await makeEffort(services, readerId)
    expect(await statusOf({ ...link, key: next.key })).toBe('renewing')
  })
})

describe('an order by a renewal link', () => {
  it('extends the linked record, changes nothing else in it, and makes its reader the buyer', async () => {
    const { shop, buy, record, effortId, readerId } = await makeFixture({ pubOffers: false, jobTitle: 'Pilot' })
    const before = await record()
    const placed = await buy({ country: 'US', email: 'somebody@example.test' })
    expect(placed).toMatchObject({ state: 'paid', amount: 2999, currency: 'GBP' })
    const [order] = await rowsOf(services, 'orders', shop.id)
    expect(order).toMatchObject({
      email: 'ann@example.test',
      country: 'GB',
      effort_id: effortId,
      reader_id: readerId,
      sub_start_on: '2027-01-01',
      sub_end_on: '2027-12-31',
    })
    const [buyer, ...others] = await rowsOf(services, 'buyers', shop.id)
    expect(others).toEqual([])
    expect(buyer).toMatchObject({ email_key: 'ann@example.test', password_hash: null })
    const { title, fullName, email, addressOne, postCode, telephone, pubOffers, jobTitle, subStartOn } =
      before as ReaderRow
    expect(await record()).toMatchObject({
      title,
      fullName,
      email,
      addressOne,
      postCode,
      telephone,
      pubOffers,
      jobTitle,
      subStartOn,
      buyerId: buyer?.id,
      subEndOn: '2027-12-31',
      subPaid: 2999,
    })
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    const [event] = await rowsOf(services, 'reader_events', shop.id)
    expect(event).toMatchObject({ kind: 'subscribed', order_id: order?.id })
  })

  it('is one order for two tabs, a double click and a reload; then the link sells nothing more', async () => {
    const { shop, prove, form, record } = await makeFixture()
    const { proof } = await prove()
    const placed = await Promise.all([1, 2, 3].map(() => orderByLink(visiting(), form({ proof }))))
    expect(new Set(placed.map(({ orderNumber }) => orderNumber)).size).toBe(1)
    // The same and another plan, submitted again after the renewal: both return the order that was paid.
    for (const plan of ['1PN29.99', '1BN39.99'])
      expect((await orderByLink(visiting(), form({ proof, plan }))).orderNumber).toBe(placed[0]?.orderNumber)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
    expect((await record())?.subEndOn).toBe('2027-12-31')
  })

  it('can be retried after a decline, and cancels an order waiting for another payment step', async () => {
    const { shop, prove, form, record } = await makeFixture()
    const { proof } = await prove()
    const order = (cardNumber: string, more = {}) =>
      orderByLink(visiting(), form({ proof, payment: { details: { cardNumber } }, ...more }))
    await expect(order('4000 0000 0000 0002')).rejects.toMatchObject({ kind: 'declined' })
    const waiting = await order('4000 0025 0000 3155')
    expect(waiting).toMatchObject({ state: 'pending', next: { kind: 'go' } })
    // The same plan in another tab is the same order; another plan is a new order, and the first is cancelled.
    expect((await order('4000 0025 0000 3155')).orderNumber).toBe(waiting.orderNumber)
    const paid = await order('4242 4242 4242 4242', { plan: '1BN39.99' })
    expect(paid).toMatchObject({ state: 'paid', amount: 3999 })
    const states = (await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)
    expect(states).toEqual(['declined', 'cancelled', 'paid'])
    expect(await record()).toMatchObject({ subType: 'bundle', subEndOn: '2027-12-31' })
  })

  it('replaces an order that waits for its payment when the address was corrected', async () => {
    const { shop, prove, form, record } = await makeFixture()
    const { proof } = await prove()
    const order = (cardNumber: string, more = {}) =>
      orderByLink(visiting(), form({ proof, payment: { details: { cardNumber } }, ...more }))
    await order('4000 0025 0000 3155')
    const billing = { addressOne: '9 High Road', city: 'Truro', postCode: 'TR1 1AA' }
    expect(await order('4242 4242 4242 4242', { billing })).toMatchObject({ state: 'paid' })
    const states = (await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)
    expect(states).toEqual(['cancelled', 'paid'])
    expect(await record()).toMatchObject({ addressOne: '9 High Road', keyPostCode: 'TR11AA' })
  })

  it('uses the price of its link, whatever the shop charges now; a forged price is refused', async () => {
    const offer = { product: 'print', termMonths: 12, price: 1999, currency: 'GBP' } as const
    const { buy, link, shop } = await makeFixture({}, offer)
    await services.db.run(`UPDATE publication_prices SET amount = 5999 WHERE publication_id = :id`, { id: shop.id })
    expect((await renewalLinkPage(visiting(), link)).offer?.plan).toMatchObject({ code: '1PN19.99', price: 1999 })
    for (const forged of [
      { plan: '1PN1.00' },
      { plan: '1PN19.99', total: '1.00' },
      { plan: '1PN19.99', currency: 'EUR' },
    ])
      await expect(buy(forged)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(buy({ plan: '1DN19.99' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await buy({ plan: '1PN19.99', total: '19.99' })).toMatchObject({ state: 'paid', amount: 1999 })
    // Everyone else pays the shop's price.
    await expect(placeOrder(visiting(), orderForm(shop, { plan: '1PN19.99' }))).rejects.toMatchObject({
      kind: 'conflict',
    })
  })

  it('stores a changed address on the record, with the old one in its history', async () => {
    const { buy, record, shop } = await makeFixture()
    await buy({ billing: { addressOne: '9 High Road', city: 'Truro', postCode: 'TR1 1AA' } })
    expect(await record()).toMatchObject({ addressOne: '9 High Road', keyPostCode: 'TR11AA', subEndOn: '2027-12-31' })
    const [moved] = await rowsOf(services, 'reader_events', shop.id)
    expect(moved).toMatchObject({ kind: 'edited', note: 'Delivery address changed by the reader' })
    expect(JSON.stringify(moved?.before)).toContain('1 Quay Street')
  })

  it('is not posted to a postcode that cannot exist, unless that is on file', async () => {
    const { buy } = await makeFixture()
    const billing = { addressOne: '9 High Road', city: 'Truro', postCode: 'ABC' }
    const shipping = { ...billing, firstName: 'Ann', lastName: 'Lee' }
    const message = 'Enter a UK postcode, such as SW1A 1AA'
    await expect(buy({ billing })).rejects.toMatchObject({ fields: { 'billing.postCode': message } })
    await expect(buy({ isDeliveredToBilling: false, shipping })).rejects.toMatchObject({
      fields: { 'shipping.postCode': message },
    })
    const onFile = await makeFixture({ postCode: 'ABC' })
    const { proof } = await onFile.prove('abc')
    expect(await orderByLink(visiting(), onFile.form({ proof, billing }))).toMatchObject({ state: 'paid' })
  })

  it('is added to the existing account with the same email, without its unproven password', async () => {
    const { buy, record, shop } = await makeFixture()
    await placeOrder(visiting(), orderForm(shop, { plan: '2DN2.99', email: ann.email }))
    const [account] = await rowsOf(services, 'buyers', shop.id)
    await buy()
    expect(await rowsOf(services, 'buyers', shop.id)).toHaveLength(1)
    expect((await record())?.buyerId).toBe(account?.id)
    expect((await rowsOf(services, 'buyers', shop.id))[0]?.password_hash).toBeNull()
  })

  it('asks for an email when none is on file, and gives no access to an existing account', async () => {
    const { buy, record, shop } = await makeFixture({ email: '' })
    await placeOrder(visiting(), orderForm(shop, { plan: '2DN2.99', email: 'other@example.test' }))
    await expect(buy({ email: 'other@example.test' })).rejects.toMatchObject({ fields: { email: expect.any(String) } })
    expect(await buy({ email: 'new@example.test' })).toMatchObject({ state: 'paid' })
    expect(await record()).toMatchObject({ email: 'new@example.test', keyEmail: 'new@example.test' })
  })
})

describe('a gift', () => {
  async function makeGift() {
    const shop = await makeShop(services)
    const shipping = { firstName: 'Bob', lastName: 'Moss', addressOne: '2 Hill', city: 'Bath', postCode: 'BA1 1AA' }
    const form = orderForm(shop, { email: 'giver@example.test', isGift: true, isDeliveredToBilling: false, shipping })
    await placeOrder(visiting(), form)
    const [row] = await rowsOf(services, 'readers', shop.id)
    const readerId = Number(row?.id)
    const giverEffort = await makeEffort(services, readerId, { addressee: 'buyer' })
    const recipientEffort = await makeEffort(services, readerId, { addressee: 'reader', dayOffset: 21 })
    const open = async (key: string, answer: string) => {
      const link = { urlKey: shop.urlKey, key }
      const { proof } = await answerLink(visiting(), { ...link, answer })
      return { ...link, proof }
    }
    return { shop, readerId, giverEffort, recipientEffort, shipping, form, open }
  }

  it('is paid again by its giver for its reader, after proving the giver’s own postcode', async () => {
    const { shop, readerId, giverEffort, shipping, form, open } = await makeGift()
    await expect(open(giverEffort.key, 'BA1 1AA')).rejects.toMatchObject({ kind: 'invalid' })
    const link = await open(giverEffort.key, 'SW1A 1AA')
    const { opened, isGift } = await renewalLinkPage(visiting(), link)
    expect(isGift).toBe(true)
    expect(opened).toMatchObject({
      recipient: 'Bob Moss',
      profile: { email: 'giver@example.test', delivery: { postCode: 'BA1 1AA' }, isDeliveredToBilling: false },
    })
    await orderByLink(visiting(), {
      ...form,
      ...link,
      plan: '1PN29.99',
      shipping: { ...shipping, addressOne: '3 Hill' },
    })
    const [first, second] = await rowsOf(services, 'orders', shop.id)
    expect(second).toMatchObject({ reader_id: readerId, buyer_id: first?.buyer_id, state: 'paid' })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { id: readerId, last_name: 'Moss', address_one: '3 Hill', sub_end_on: '2028-11-21', buyer_id: first?.buyer_id },
    ])
  })

  it('is renewed by its recipient, who learns nothing about the giver and then has an account', async () => {
    const { shop, readerId, recipientEffort, open, giverEffort } = await makeGift()
    const link = await open(recipientEffort.key, 'BA1 1AA')
    const page = await renewalLinkPage(visiting(), link)
    expect(page).toMatchObject({ isGift: false, opened: { profile: { firstName: 'Bob', email: '' } } })
    expect(JSON.stringify(page)).not.toMatch(/giver|O'Brien|Quay/)
    const form = orderForm(shop, { email: 'bob@example.test', firstName: 'Bob', lastName: 'Moss', title: '' })
    await orderByLink(visiting(), {
      ...form,
      ...link,
      billing: { addressOne: '2 Hill', city: 'Bath', postCode: 'BA1 1AA' },
    })
    const [bob] = await services.db.query<{ id: number }>(
      `SELECT id FROM buyers WHERE email_key = 'bob@example.test' AND publication_id = :id`,
      { id: shop.id },
    )
    expect(await Readers.find(services, { id: readerId })).toMatchObject({ buyerId: bob?.id, subEndOn: '2028-11-21' })
    expect((await renewalLinkPage(visiting(), { urlKey: shop.urlKey, key: giverEffort.key })).status).toBe('renewed')
  })
})

describe('a promo code for a single reader', () => {
  async function makeCodeFixture() {
    const fixture = await makeFixture()
    const promoCodeId = await makePromo(services, fixture.shop.id, 'ANN-ONLY', {
      discountPercent: 50,
      uses: 1,
      applicableProducts: everyProduct,
    })
    await PromoCodes.update(services, { id: promoCodeId }, { readerId: fixture.readerId })
    await ReaderEfforts.update(services, { id: fixture.effortId }, { promoCodeId })
    const used = async () => (await PromoCodes.find(services, { id: promoCodeId }))?.used
    return { ...fixture, promoCodeId, used }
  }

  it('is applied by the link, once', async () => {
    const { link, buy, used } = await makeCodeFixture()
    const { offer } = await renewalLinkPage(visiting(), link)
    expect(offer?.promo).toMatchObject({ code: 'ANN-ONLY', discountPercent: 50 })
    expect(await buy({ promoCode: 'ann-only' })).toMatchObject({ amount: 1499 })
    expect(await used()).toBe(1)
  })

  it('is kept by the order that continues or replaces one that waits for its payment', async () => {
    const { shop, link, prove, form, used } = await makeCodeFixture()
    const { proof } = await prove()
    const order = (cardNumber: string, more = {}) =>
      orderByLink(visiting(), form({ proof, promoCode: 'ANN-ONLY', payment: { details: { cardNumber } }, ...more }))
    const waiting = await order('4000 0025 0000 3155')
    expect(waiting).toMatchObject({ state: 'pending', amount: 1499 })
    expect((await renewalLinkPage(visiting(), link)).offer?.promo).toMatchObject({ code: 'ANN-ONLY' })
    expect((await order('4000 0025 0000 3155')).orderNumber).toBe(waiting.orderNumber)
    const billing = { addressOne: '9 High Road', city: 'Truro', postCode: 'TR1 1AA' }
    expect(await order('4242 4242 4242 4242', { billing })).toMatchObject({ state: 'paid', amount: 1499 })
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
    expect(await used()).toBe(1)
  })

  it('is refused in the shop and by another reader’s link, even concurrently', async () => {
    const { shop, buy, used } = await makeCodeFixture()
    const otherId = await makeReader(services, shop.id, { ...ann, email: 'bob@example.test' })
    const { key } = await makeEffort(services, otherId)
    const link = { urlKey: shop.urlKey, key }
    const { proof } = await answerLink(visiting(), { ...link, answer: 'TR11 3LH' })
    const forged = { promoCode: 'ANN-ONLY' }
    const tries = [
      () => placeOrder(visiting(), orderForm(shop, forged)),
      () => orderByLink(visiting(), { ...orderForm(shop, forged), ...link, proof }),
    ]
    const refusal = { fields: { promoCode: 'Promo code invalid or expired' } }
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(refusal)
    const [own, ...others] = await Promise.allSettled([buy(forged), ...tries.map((attempt) => attempt())])
    expect(own).toMatchObject({ status: 'fulfilled', value: { amount: 1499 } })
    for (const other of others) expect(other).toMatchObject({ status: 'rejected', reason: refusal })
    expect(await used()).toBe(1)
  })
})
