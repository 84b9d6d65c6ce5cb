import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { subscriberFigures } from '../analytics/subscriber-figures.query.ts'
import { buyerProfile } from '../buyers/buyer-profile.query.ts'
import { ledgerTotals } from '../ledger/ledger-totals.query.ts'
import { countMailing } from '../mailing/count-mailing.query.ts'
import { placeOrder } from '../orders/place-order.ts'
import { getReader } from '../readers/get-reader.query.ts'
import { searchReaders } from '../readers/search-readers.query.ts'
import { listWarning } from '../warnings/list-warning.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

describe.each([
  { on: '2026-11-22', counts: true, nextEnd: '2027-11-22' },
  { on: '2026-11-23', counts: false, nextEnd: '2027-11-23' },
])('a year bought on 22/11/2025, on $on', ({ on, counts, nextEnd }) => {
  let ctx: AppContext
  let shop: Awaited<ReturnType<typeof makeShop>>
  let publicationId: number
  let form: Record<string, unknown>
  beforeAll(async () => {
    services.clock.now = noonOf('2025-11-22')
    shop = await makeShop(services)
    publicationId = shop.id
    ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
    form = orderForm(shop)
    await placeOrder(services.as(visitor), form)
    services.clock.now = noonOf(on)
  })

  it('is posted, or left out as expired', async () => {
    const mailing = await countMailing(ctx, { publicationId })
    expect(mailing.included).toBe(counts ? 1 : 0)
    expect(mailing.excluded.map(({ reason, count }) => [reason, count])).toEqual(counts ? [] : [['expired', 1]])
  })

  it('is listed among the warnings as ending or as ended', async () => {
    const total = async (list: string) => (await listWarning(ctx, { publicationId, list })).total
    expect(await total('expirednextthirty')).toBe(counts ? 1 : 0)
    expect(await total('expiredsubscriber')).toBe(counts ? 0 : 1)
    expect(await total('expiredlastthirty')).toBe(counts ? 0 : 1)
  })

  it('is current or expired to staff, to the reader and in the figures', async () => {
    const state = counts ? 'current' : 'expired'
    const [reader] = await rowsOf(services, 'readers', publicationId)
    const [buyer] = await rowsOf(services, 'buyers', publicationId)
    expect((await getReader(ctx, { id: reader?.id })).subscription.state).toBe(state)
    expect((await searchReaders(ctx, { publicationId })).rows).toMatchObject([{ term: state }])
    const buyerCtx = services.as({ kind: 'buyer', buyerId: Number(buyer?.id), publicationId })
    expect((await buyerProfile(buyerCtx, {})).subscriptions).toMatchObject([{ endOn: '2026-11-22', state }])
    const figures = await subscriberFigures(ctx, { publicationId })
    expect(figures.current.all).toBe(counts ? 1 : 0)
    expect([figures.expiringSoon, figures.expiredRecently]).toEqual(counts ? [1, 0] : [0, 1])
  })

  it('is followed by the next from 23/11/2026 on, and has no liability left', async () => {
    expect((await ledgerTotals(ctx, { publicationId })).GBP).toMatchObject({ amount: 2999, liability: 0 })
    await placeOrder(services.as(visitor), { ...orderForm(shop), email: form.email, confirmEmail: form.email })
    const [, next] = await rowsOf(services, 'orders', publicationId)
    expect(next).toMatchObject({ sub_start_on: '2026-11-23', sub_end_on: nextEnd })
    expect((await rowsOf(services, 'ledger_entries', publicationId))[1]).toMatchObject({
      service_start_on: '2026-11-23',
      service_end_on: nextEnd,
    })
  })
})
