import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { type Actor, visitor } from '../access/actor.ts'
import { placeOrder } from '../orders/place-order.ts'
import { searchAll } from './search-all.query.ts'

const services = await openTestServices()
let publisher: Actor
let readerStaff: Actor
let stranger: Actor
let orderNumber = ''

beforeAll(async () => {
  const shop = await makeShop(services, { publicationName: 'Harbour Light' })
  const { publisherId } = shop
  const secondTitle = await makePublication(services, { publisherId, publicationName: 'Quay Quarterly' })
  const removed = await makePublication(services, { publisherId, removedAt: new Date() })
  const otherPublication = await makePublication(services)
  publisher = await actorOf(services, 'publisher', publisherId)
  readerStaff = await actorOf(services, 'admin', publisherId)
  stranger = await actorOf(services, 'publisher', otherPublication.publisherId)
  const person = { firstName: 'Ida', lastName: 'Quayle', fullName: 'Mrs Ida Quayle', email: 'ida@finch.test' }
  for (const { id } of [shop, secondTitle, removed, otherPublication])
    await makeReader(services, id, { ...person, postCode: 'AB10 1AA', uniqueReference: `REF-${id}` })
  for (let n = 0; n < 25; n++) await makeReader(services, secondTitle.id, { lastName: 'Crowd', firstName: `N${n}` })
  const order = await placeOrder(services.as(visitor), orderForm(shop, { firstName: 'Bo', lastName: 'Buyer' }))
  orderNumber = order.orderNumber
})

const search = (q: string, actor = publisher) => searchAll(services.as(actor), { q })
const titlesOf = async (q: string, actor = publisher) =>
  (await search(q, actor)).readers.map(({ publicationName }) => publicationName)

describe('the search over all titles', () => {
  it.each([
    ['a last name', 'quayle'],
    ['a full name without its title', 'Ida Quay'],
    ['an email', 'IDA@finch'],
    ['a postcode', 'ab101aa'],
  ])('finds a reader of each own title by %s, and none of other publishers or a removed title', async (_, q) => {
    expect(await titlesOf(q)).toEqual(['Harbour Light', 'Quay Quarterly'])
    expect((await search(q, stranger)).readers).toHaveLength(1)
  })

  it('finds a reader by unique reference', async () => {
    const [reader] = (await search('ida@finch.test')).readers
    const { readers } = await search(reader?.uniqueReference.toLowerCase() ?? '')
    expect(readers.map(({ id }) => id)).toEqual([reader?.id])
  })

  it('finds titles by a part of their name, and an order by its number with or without OD-', async () => {
    expect((await search('quarterly')).titles).toMatchObject([{ publicationName: 'Quay Quarterly' }])
    for (const q of [orderNumber, orderNumber.slice(3).toLowerCase(), orderNumber.replace('-', ' ')])
      expect((await search(q)).orders).toMatchObject([
        { orderNumber, buyer: 'Bo Buyer', publicationName: 'Harbour Light', amount: '£29.99' },
      ])
    expect((await search(orderNumber, stranger)).orders).toEqual([])
    expect((await search(orderNumber, readerStaff)).orders).toEqual([])
  })

  it('finds a title whatever the capitals, accents and punctuation', async () => {
    const { publisherId } = await makePublication(services, { publicationName: 'Café & Hedge-Row' })
    await makePublication(services, { publisherId, publicationName: '???' })
    const owner = services.as(await actorOf(services, 'publisher', publisherId))
    const namesFor = async (q: string) => (await searchAll(owner, { q })).titles.map((title) => title.publicationName)
    for (const q of ['cafe', 'CAFÉ hedge', 'hedge row', 'Hedge-Row', '& hedge'])
      expect([q, await namesFor(q)]).toEqual([q, ['Café & Hedge-Row']])
    expect(await namesFor('??')).toEqual(['???'])
    expect(await namesFor('cafés')).toEqual([])
  })

  it('shows twenty results, and says that there are more', async () => {
    const { readers, hasMoreReaders } = await search('Crowd')
    expect(readers).toHaveLength(20)
    expect(hasMoreReaders).toBe(true)
    expect((await search('Quayle')).hasMoreReaders).toBe(false)
  })

  it('counts the titles beyond twenty', async () => {
    const { publisherId, id } = await makePublication(services, { publicationName: 'Shelf 0' })
    for (let n = 1; n <= 20; n++) await makePublication(services, { publisherId, publicationName: `Shelf ${n}` })
    const owner = services.as(await actorOf(services, 'publisher', publisherId))
    const { titles, moreTitles } = await searchAll(owner, { q: 'shelf' })
    expect([titles.length, titles[0]?.id, moreTitles]).toEqual([20, id, 1])
  })

  it('finds nothing for an empty text', async () => {
    for (const q of ['', '  ', '...', 'nobody at all'])
      expect(await search(q)).toEqual({ titles: [], orders: [], readers: [], moreTitles: 0, hasMoreReaders: false })
  })
})
