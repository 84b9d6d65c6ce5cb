import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import type { Condition } from './order-filter.ts'
import { type OrderTextKind, orderTextKinds } from './order-texts.rows.ts'

type Asking = Pick<AppContext, 'actor' | 'db'>

/** As many orders as are named one by one in a statement; of more, each order is asked whether it fits. */
export const fewOrders = 2000

/** As many orders and texts as are named one by one. */
const most = { orders: fewOrders, texts: 5000 }

const maxWords = 6

/** A word that was typed, and what holds it. */
interface Word {
  /** Of the names of its values. */
  index: number
  /** In small letters. */
  word: string
  /** Names and products that hold it, by their kind; null: so many that each order's own are looked at. */
  texts: ReadonlyMap<OrderTextKind, string[]> | null
  publicationIds: number[]
  /** In minor units, where the word is one. */
  amount: number | null
  /** As it stands in the number of an order; null: in none. */
  number: string | null
}

const kinds = Object.keys(orderTextKinds) as OrderTextKind[]

/**
 * What was typed, as a condition on `orders o`: every word stands in the number, a name or the product of the order, in the name of its
 * publication, or is its amount. Where few orders hold one of the words, it names them.
 */
export async function orderWords(ctx: Asking, q: string | undefined, limits = most): Promise<Condition> {
  const typed = (q ?? '').split(/\s+/).filter(Boolean).slice(0, maxWords)
  const words = await Promise.all(typed.map((word, index) => lookUp(ctx, word, index, limits)))
  const found = await Promise.all(words.map(async (word) => ({ word, ids: await textOrders(ctx, word, limits) })))
  const [rarest] = found
    .flatMap(({ word, ids }) => (ids ? [{ word, ids }] : []))
    .sort((one, other) => one.ids.length - other.ids.length)
  const numbered = rarest && (await numberOrders(ctx, rarest.word, limits))
  const ids = rarest && numbered && [...new Set([...rarest.ids, ...numbered])]
  const others = ids && ids.length <= limits.orders ? words.filter((word) => word !== rarest.word) : words
  const named: Condition[] =
    others === words ? [] : [{ where: 'o.id IN (:wordOrders)', values: { wordOrders: orNone(ids ?? []) } }]
  const conditions = [...named, ...others.map((word) => conditionOf(ctx, word))]
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    values: Object.assign({}, ...conditions.map(({ values }) => values)),
  }
}

/** An empty list is no list in SQL. */
export const orNone = (ids: readonly number[]) => (ids.length > 0 ? ids : [-1])

const positionOf = ({ db }: Asking) => (db.dialect === 'postgres' ? 'strpos' : 'instr')

/** Of whose orders, where it is one publisher's. */
function ownership(ctx: Asking, table: string): Condition {
  const { publisherId } = tenantOf(ctx)
  return publisherId === undefined
    ? { where: 'TRUE', values: {} }
    : { where: `${table}.publisher_id = :publisherId`, values: { publisherId } }
}

async function lookUp(ctx: Asking, word: string, index: number, limits: typeof most): Promise<Word> {
  const own = ownership(ctx, 't')
  const has = (text: string) => `${positionOf(ctx)}(LOWER(${text}), :q) > 0`
  const values = { ...own.values, q: word.toLowerCase() }
  const [texts, publications] = await Promise.all([
    ctx.db.query<{ kind: OrderTextKind; text: string }>(
      `SELECT t.kind, t.text FROM order_texts t WHERE ${own.where} AND ${has('t.text')} LIMIT ${limits.texts + 1}`,
      values,
    ),
    ctx.db.query<{ id: number }>(`SELECT n.id FROM publications n WHERE ${has('n.publication_name')}`, values),
  ])
  return {
    index,
    word: word.toLowerCase(),
    texts:
      texts.length > limits.texts
        ? null
        : new Map(kinds.map((kind) => [kind, texts.filter((row) => row.kind === kind).map(({ text }) => text)])),
    publicationIds: publications.map(({ id }) => id),
    amount: parseMinorUnits(word),
    // Numbers are made of capitals, digits and a hyphen.
    number: /^[a-z0-9-]+$/i.test(word) ? word.toUpperCase() : null,
  }
}

/** The orders that hold a word elsewhere than in their number, by indexes; null where they are many. */
async function textOrders(ctx: Asking, word: Word, limits: typeof most): Promise<number[] | null> {
  const { alternatives, values } = heldBy(word)
  if (!word.texts) return null
  if (alternatives.length === 0) return []
  const own = ownership(ctx, 'o')
  const parts = alternatives.map(
    (held) =>
      `SELECT id FROM (SELECT o.id FROM orders o WHERE ${own.where} AND ${held} LIMIT ${limits.orders + 1}) part`,
  )
  const rows = await ctx.db.query<{ id: number }>(`${parts.join(' UNION ')} LIMIT ${limits.orders + 1}`, {
    ...values,
    ...own.values,
  })
  return rows.length > limits.orders ? null : rows.map(({ id }) => id)
}

/** The orders in whose number a word stands; null where they are many. All numbers are looked at: one can be asked for by any part of it. */
async function numberOrders(ctx: Asking, { number }: Word, limits: typeof most): Promise<number[] | null> {
  if (number === null) return []
  const own = ownership(ctx, 'o')
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT o.id FROM orders o WHERE ${own.where} AND ${positionOf(ctx)}(o.order_number, :number) > 0 LIMIT ${limits.orders + 1}`,
    { ...own.values, number },
  )
  return rows.length > limits.orders ? null : rows.map(({ id }) => id)
}

/** The ways in which an order can hold a word, but for its number. */
function heldBy({ index, texts, publicationIds, amount }: Word): { alternatives: string[]; values: SqlValues } {
  const alternatives: string[] = []
  const values: SqlValues = {}
  for (const [kind, list] of texts ?? []) {
    if (list.length === 0) continue
    alternatives.push(`${orderTextKinds[kind]} IN (:${kind}${index})`)
    values[`${kind}${index}`] = list
  }
  if (publicationIds.length > 0) {
    alternatives.push(`o.publication_id IN (:titles${index})`)
    values[`titles${index}`] = publicationIds
  }
  if (amount !== null) {
    alternatives.push(`o.amount = :amount${index}`)
    values[`amount${index}`] = amount
  }
  return { alternatives, values }
}

/** Asked of each order. */
function conditionOf(ctx: Asking, word: Word): Condition {
  const { alternatives, values } = heldBy(word)
  const position = positionOf(ctx)
  if (word.texts === null) {
    const { last, first, product } = orderTextKinds
    alternatives.push(`${position}(LOWER(${last} || ' ' || ${first} || ' ' || ${product}), :q${word.index}) > 0`)
    values[`q${word.index}`] = word.word
  }
  if (word.number !== null) {
    alternatives.push(`${position}(o.order_number, :number${word.index}) > 0`)
    values[`number${word.index}`] = word.number
  }
  return { where: alternatives.length > 0 ? `(${alternatives.join(' OR ')})` : 'FALSE', values }
}
