import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { closeMonth } from '#core/ledger/close-month.ts'
import { enterReversal, enterUndone, entriesOf } from '#core/ledger/ledger-entries.rows.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { ledgerSchedule } from '#core/ledger/schedule.query.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { actorOf, makeBackIssue, operator } from '#tests/support/factories.ts'
import { issueForm, makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { countCopiesToPost, exportCopiesToPost, listCopiesToPost } from './copies-to-post.query.ts'
import { getOrder } from './get-order.query.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { postCopies, unpostCopies } from './post-copies.ts'
import { planRefund, refundOrder } from './refund-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** A shop with one issue at £6.50 and £1.50 postage, five in stock; `buy` sells a copy and returns the order. */
async function openIssueShop() {
  const shop = await makeShop(services, { sellsBackIssues: true })
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const { id: issueId } = await makeBackIssue(services, shop.id, { volume: 'Winter 2025', stock: 5 })
  const buy = async (email: string) =>
    (await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issueId], { email }))).orderId
  const stock = async () => {
    const [row] = await services.db.query<{ stock: number }>(`SELECT stock FROM back_issues WHERE id = :issueId`, {
      issueId,
    })
    return row?.stock
  }
  const money = async (id: number) => {
    const { amount, refunded, net, fulfilled, liability } = await getOrder(staff, { id })
    return { amount, refunded, net, fulfilled, liability }
  }
  const schedule = async (month: string) =>
    (await ledgerSchedule(staff, { from: month, until: month })).rows.map(
      ({ product, opening, sold, refunded, earned, closing }) => [product, opening, sold, refunded, earned, closing],
    )
  return { shop, staff, buy, stock, money, schedule }
}

const refundForm = (id: number, fields: object) => ({ id, reason: 'Lost', key: randomUUID(), ...fields })
describe('back issues', () => {
  it('are earned when posted, with postage separate, in schedule and journal', async () => {
    services.clock.setDay('2027-03-10')
    const { staff, buy, money, schedule } = await openIssueShop()
    const first = await buy('a@example.test')
    const second = await buy('b@example.test')
    expect(await money(first)).toEqual({ amount: 800, refunded: 0, net: 800, fulfilled: 0, liability: 800 })
    expect(await schedule('2027-03')).toEqual([
      [null, 0, 1300, 0, 0, 1300],
      ['postage', 0, 300, 0, 0, 300],
    ])
    services.clock.setDay('2027-04-02')
    expect(await postCopies(staff, { orderIds: [first] })).toEqual({ posted: 1 })
    expect(await postCopies(staff, { orderIds: [first] })).toEqual({ posted: 0 })
    expect(await money(first)).toEqual({ amount: 800, refunded: 0, net: 800, fulfilled: 800, liability: 0 })
    expect(await getOrder(staff, { id: first })).toMatchObject({ postedOn: '2027-04-02' })
    expect(await schedule('2027-04')).toEqual([
      [null, 1300, 0, 0, 650, 650],
      ['postage', 300, 0, 0, 150, 150],
    ])
    // The month of the sale is unchanged.
    expect(await schedule('2027-03')).toEqual([
      [null, 0, 1300, 0, 0, 1300],
      ['postage', 0, 300, 0, 0, 300],
    ])
    const lines = async (month: string) =>
      (await makeJournal(staff, { month })).journals.flatMap((journal) =>
        journal.lines.map(({ account, description, amount }) => [account, description, amount]),
      )
    expect(await lines('2027-03')).toEqual([
      ['receivable:demo', 'Back issues sold', 1300],
      ['deferred', 'Back issues sold', -1300],
      ['receivable:demo', 'Postage of back issues sold', 300],
      ['deferred', 'Postage of back issues sold', -300],
    ])
    expect(await lines('2027-04')).toEqual([
      ['deferred', 'Back issues earned', 650],
      ['sales', 'Back issues earned', -650],
      ['deferred', 'Postage of back issues earned', 150],
      ['sales', 'Postage of back issues earned', -150],
    ])
    expect(await verifyLedger(services.as(operator), {})).toMatchObject({ differences: [] })
    await postCopies(staff, { orderIds: [second] })
    expect(await verifyLedger(services.as(operator), {})).toMatchObject({ differences: [] })
  })

  it('are listed with their address until they are posted, only for their publisher', async () => {
    services.clock.setDay('2027-03-10')
    const { staff, buy } = await openIssueShop()
    const ids = [await buy('a@example.test'), await buy('b@example.test')]
    expect(await listCopiesToPost(staff, {})).toMatchObject({
      total: 2,
      rows: [
        {
          id: ids[0],
          email: 'a@example.test',
          copies: [{ description: 'Winter 2025', quantity: 1, isOversold: false }],
          addressLines: expect.arrayContaining(['1 Quay Street']),
        },
        { id: ids[1] },
      ],
    })
    const { chunks } = await exportCopiesToPost(staff, {})
    const pieces: string[] = []
    for await (const piece of chunks) pieces.push(String(piece))
    const lines = pieces.join('').split('\r\n')
    expect(lines[0]).toMatch(/Order,Ordered,Publication,Title/)
    expect(lines[1]).toMatch(/^OD-\w{7},10\/03\/2027,.*1 Quay Street.*a@example\.test,1,Winter 2025$/)
    const otherShop = await openIssueShop()
    await expect(postCopies(otherShop.staff, { orderIds: ids })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(unpostCopies(otherShop.staff, { orderIds: ids.slice(0, 1) })).rejects.toMatchObject({
      kind: 'notFound',
    })
    expect((await listCopiesToPost(otherShop.staff, {})).total).toBe(0)
    expect(await countCopiesToPost(otherShop.staff, {})).toBe(0)
    await postCopies(staff, { orderIds: ids })
    expect((await listCopiesToPost(staff, {})).total).toBe(0)
  })

  it('return to stock when refunded before posting, and never after', async () => {
    const { staff, buy, stock, money } = await openIssueShop()
    const unposted = await buy('a@example.test')
    const posted = await buy('b@example.test')
    await postCopies(staff, { orderIds: [posted] })
    expect(await stock()).toBe(3)
    for (const id of [unposted, posted])
      await refundOrder(staff, refundForm(id, { scope: 'whole', method: 'hand', expected: 800 }))
    expect(await stock()).toBe(4)
    for (const id of [unposted, posted])
      expect(await money(id)).toEqual({ amount: 800, refunded: 800, net: 0, fulfilled: 0, liability: 0 })
    await expect(postCopies(staff, { orderIds: [unposted] })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('is not paid, or was refunded'),
    })
    expect(await verifyLedger(services.as(operator), {})).toMatchObject({ differences: [] })
  })

  it('are refunded in part before they are posted, copies and postage alike', async () => {
    services.clock.setDay('2027-05-04')
    const { staff, buy, money, schedule } = await openIssueShop()
    const id = await buy('a@example.test')
    // They have no months that could be refunded.
    await expect(planRefund(staff, { id, scope: 'months' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { scope: expect.any(String) },
    })
    await refundOrder(staff, refundForm(id, { scope: 'amount', amount: '3.01', method: 'hand' }))
    expect(await money(id)).toEqual({ amount: 800, refunded: 301, net: 499, fulfilled: 0, liability: 499 })
    await postCopies(staff, { orderIds: [id] })
    expect(await money(id)).toEqual({ amount: 800, refunded: 301, net: 499, fulfilled: 499, liability: 0 })
    await refundOrder(staff, refundForm(id, { scope: 'whole', method: 'hand', expected: 499 }))
    expect(await money(id)).toEqual({ amount: 800, refunded: 800, net: 0, fulfilled: 0, liability: 0 })
    expect(await schedule('2027-05')).toEqual([
      [null, 0, 650, 650, 0, 0],
      ['postage', 0, 150, 150, 0, 0],
    ])
    expect((await entriesOf(services, id)).map(({ amount, postage }) => [amount, postage])).toEqual([
      [800, 150],
      [-301, -56],
      [-499, -94],
    ])
    expect(await verifyLedger(services.as(operator), {})).toMatchObject({ differences: [] })
  })

  it('are restored when a lost dispute is undone, posted meanwhile or not', async () => {
    const { staff, buy, money } = await openIssueShop()
    const id = await buy('a@example.test')
    const today = services.now().toISOString().slice(0, 10)
    const dispute = { orderId: id, kind: 'dispute', cause: 'dispute:dp_1', today } as const
    await services.db.transaction(() => enterReversal(staff, { ...dispute, amount: 800 }))
    expect(await money(id)).toMatchObject({ net: 0, fulfilled: 0, liability: 0 })
    await postCopies(staff, { orderIds: [id] })
    expect(await money(id)).toMatchObject({ net: 0, fulfilled: 0, liability: 0 })
    await services.db.transaction(() => enterUndone(staff, { ...dispute, by: 'dispute-won' }))
    expect(await money(id)).toMatchObject({ net: 800, fulfilled: 800, liability: 0 })
    expect(await verifyLedger(services.as(operator), {})).toMatchObject({ differences: [] })
  })

  it('can be marked as not posted afterwards, until something depends on it', async () => {
    services.clock.setDay('2027-06-15')
    const { staff, buy, money } = await openIssueShop()
    const id = await buy('a@example.test')
    await postCopies(staff, { orderIds: [id] })
    await unpostCopies(staff, { orderIds: [id] })
    expect(await money(id)).toMatchObject({ fulfilled: 0, liability: 800 })
    expect((await listCopiesToPost(staff, {})).total).toBe(1)
    await postCopies(staff, { orderIds: [id] })
    const refunded = await buy('b@example.test')
    await postCopies(staff, { orderIds: [refunded] })
    await refundOrder(staff, refundForm(refunded, { scope: 'amount', amount: '1.00', method: 'hand' }))
    await expect(unpostCopies(staff, { orderIds: [refunded] })).rejects.toThrow('was refunded')
    services.clock.setDay('2027-07-03')
    await closeMonth(staff, { month: '2027-06' })
    await expect(unpostCopies(staff, { orderIds: [id] })).rejects.toThrow('was posted in a month that is closed')
    expect(await money(id)).toMatchObject({ fulfilled: 800, liability: 0 })
  })

  it('are previewed without a change, and are all marked as not posted or none of them', async () => {
    services.clock.setDay('2027-08-15')
    const { staff, buy, money } = await openIssueShop()
    const posted = await buy('a@example.test')
    const unposted = await buy('b@example.test')
    const refunded = await buy('c@example.test')
    await postCopies(staff, { orderIds: [posted, refunded] })
    await refundOrder(staff, refundForm(refunded, { scope: 'amount', amount: '1.00', method: 'hand' }))
    expect(await postCopies(staff, { orderIds: [posted, unposted], dryRun: true })).toEqual({ posted: 1 })
    expect(await money(unposted)).toMatchObject({ fulfilled: 0 })
    expect(await unpostCopies(staff, { orderIds: [posted, unposted], dryRun: true })).toEqual({ unposted: 1 })
    const { orderNumber } = await getOrder(staff, { id: refunded })
    for (const dryRun of [true, false])
      await expect(unpostCopies(staff, { orderIds: [posted, refunded], dryRun })).rejects.toThrow(
        `${orderNumber} was refunded`,
      )
    expect(await money(posted)).toMatchObject({ fulfilled: 800 })
    expect(await unpostCopies(staff, { orderIds: [posted, unposted] })).toEqual({ unposted: 1 })
    expect(await money(posted)).toMatchObject({ fulfilled: 0 })
  })
})
