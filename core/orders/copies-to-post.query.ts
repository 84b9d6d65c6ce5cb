import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import { countryName } from '../kernel/countries.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { type PostalAddress, postalLines } from '../kernel/postal-address.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { OrderItems } from './order-items.rows.ts'
import { Orders } from './orders.rows.ts'

/** A paid order of back issues whose copies are to be posted. */
export interface OrderToPost {
  id: number
  orderNumber: string
  orderedOn: Day
  publicationName: string
  /** The delivery address. */
  address: PostalAddress
  /** The address in the format of an envelope. */
  addressLines: string[]
  email: string
  /** Which issues, one copy each; including those that were paid for when no copy was left. */
  copies: { description: string; quantity: number; isOversold: boolean }[]
}

const columns = Orders.pick('id', 'orderNumber', 'orderedOn', 'email', 'billing', 'shipping', 'country')

const toPostSql = (publisherId: number | undefined) =>
  `FROM orders o JOIN publications p ON p.id = o.publication_id
   WHERE o.kind = 'back-issues' AND o.state = 'paid' AND o.posted_on IS NULL ${publisherId === undefined ? '' : 'AND o.publisher_id = :publisherId'}`

/** The acting publisher's orders whose copies are to be posted, the oldest first. */
export const listCopiesToPost = useCase({
  permission: 'order:read',
  input: PageInput,
  transaction: 'none',
  async run(ctx, input): Promise<Page<OrderToPost>> {
    const rows = await ordersToPost(ctx, { limit: input.size, offset: (input.page - 1) * input.size })
    return pageOf(rows, await countOrders(ctx), input)
  },
})

/** The number of orders whose copies are to be posted. */
export const countCopiesToPost = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  run: (ctx) => countOrders(ctx),
})

async function countOrders(ctx: Pick<AppContext, 'db' | 'actor'>): Promise<number> {
  const { publisherId } = tenantOf(ctx)
  const [row] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total ${toPostSql(publisherId)}`, {
    publisherId: publisherId ?? null,
  })
  return Number(row?.total ?? 0)
}

async function ordersToPost(
  ctx: Pick<AppContext, 'db' | 'actor'>,
  { after, limit, offset = 0 }: { after?: Pick<OrderToPost, 'id' | 'orderedOn'>; limit: number; offset?: number },
): Promise<OrderToPost[]> {
  const { publisherId } = tenantOf(ctx)
  const rows = await columns.rows<{ publicationName: string }>(
    ctx,
    `SELECT ${columns.columns('o')}, p.publication_name AS "publicationName" ${toPostSql(publisherId)}
     ${after ? 'AND (o.ordered_on, o.id) > (:orderedOn, :id)' : ''} ORDER BY o.ordered_on, o.id LIMIT :limit OFFSET :offset`,
    { publisherId: publisherId ?? null, orderedOn: after?.orderedOn ?? null, id: after?.id ?? null, limit, offset },
  )
  if (rows.length === 0) return []
  const itemColumns = OrderItems.pick('orderId', 'description', 'quantity', 'copyState')
  const items = await itemColumns.rows(
    ctx,
    `SELECT ${itemColumns.columns()} FROM order_items WHERE order_id IN (:ids) AND kind = 'back-issue' ORDER BY id`,
    { ids: rows.map(({ id }) => id) },
  )
  return rows.map(({ billing, shipping, country, ...order }) => {
    const address = shipping?.postCode ? shipping : { ...billing, country: billing.country || country }
    return {
      ...order,
      address,
      addressLines: postalLines(address, 'en'),
      copies: items
        .filter(({ orderId }) => orderId === order.id)
        .map(({ description, quantity, copyState }) => ({
          description,
          quantity,
          isOversold: copyState === 'oversold',
        })),
    }
  })
}

const header = [
  'Order',
  'Ordered',
  'Publication',
  'Title',
  'First name',
  'Last name',
  'Company',
  'Address 1',
  'Address 2',
  'Address 3',
  'Town',
  'State',
  'Postcode',
  'Country',
  'Email',
  'Copies',
  'Issues',
]
const batchSize = 500

/** The orders to post as a CSV for the mail room. The audit log records the export when reading starts. */
export const exportCopiesToPost = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<DownloadFile> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: downloadName('Copies To Post', today), chunks: csvLines(ctx) }
  },
})

async function* csvLines(ctx: AppContext): AsyncGenerator<string> {
  await ctx.db.transaction(() =>
    recordAudit(ctx, 'export-copies-to-post', {
      type: 'sales-ledger',
      id: null,
      publisherId: actingPublisherId(ctx.actor),
    }),
  )
  yield byteOrderMark + csvText([header])
  let after: Pick<OrderToPost, 'id' | 'orderedOn'> | undefined
  while (true) {
    const rows = await ordersToPost(ctx, { ...(after ? { after } : {}), limit: batchSize })
    if (rows.length > 0) yield csvText(rows.map(cellsOf))
    after = rows.at(-1)
    if (rows.length < batchSize) return
  }
}

function cellsOf({ orderNumber, orderedOn, publicationName, address, email, copies }: OrderToPost): CsvCell[] {
  const { title, firstName, lastName, companyName, addressOne, addressTwo, addressThree, city, state } = address
  return [
    orderNumber,
    formatDay(orderedOn),
    publicationName,
    title,
    firstName,
    lastName,
    companyName,
    addressOne,
    addressTwo,
    addressThree,
    city,
    state,
    address.postCode,
    countryName(address.country),
    email,
    { number: String(copies.reduce((sum, { quantity }) => sum + quantity, 0)) },
    copies.map(({ description, quantity }) => (quantity > 1 ? `${quantity} × ${description}` : description)).join('; '),
  ]
}
