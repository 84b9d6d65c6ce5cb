import type { AppContext } from '../context.ts'
import { caselessSearch } from '../dialect.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { type NumberSearch, numberSearch, placesOfPart } from '../kernel/order-number.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { type Condition, perRowCondition } from './order-filter.ts'
import { type OrderTextKind, orderTextKinds } from './order-texts.rows.ts'

type SearchContext = Pick<AppContext, 'actor' | 'db'>

/** How many orders are named one by one in a statement; with more, each order is checked. */
export const maxListedIds = 2000

/** How many orders and texts are named one by one. */
const max = { orders: maxListedIds, texts: 5000 }

const maxWords = 6

/** A search word, and what contains it. */
interface SearchWord {
  /** The number in the names of its values. */
  index: number
  /** In lower case. */
  word: string
  /** Names and products that contain it, by their kind; null: so many that each order's own are checked. */
  texts: ReadonlyMap<OrderTextKind, string[]> | null
  publicationIds: number[]
  /** In minor units, where the word is one. */
  amount: number | null
  /** The orders whose number contains it; or, where they are so many that each order's own is checked, how. */
  numbered: number[] | NumberSearch
}

/** A condition on `orders o`, and the same as mutually exclusive conditions: each can be counted by its own index. */
export interface SearchCondition extends Condition {
  parts: Condition[]
}

const kinds = Object.keys(orderTextKinds) as OrderTextKind[]

/**
 * The search text as a condition on `orders o`: every word occurs in the number (`numberSearch`), a name or the product of the order, in the
 * name of its publication, or is its amount. Where few orders contain one of the words, it names them.
 */
export async function orderSearchCondition(
  ctx: SearchContext,
  q: string | undefined,
  limits = max,
): Promise<SearchCondition> {
  const typed = (q ?? '').split(/\s+/).filter(Boolean).slice(0, maxWords)
  const words = await Promise.all(typed.map((word, index) => lookUp(ctx, word, index, limits)))
  const found = await Promise.all(words.map(async (word) => ({ word, ids: await ordersOf(ctx, word, limits) })))
  const [rarest] = found
    .flatMap(({ word, ids }) => (ids ? [{ word, ids }] : []))
    .sort((one, other) => one.ids.length - other.ids.length)
  const named: Condition[] = rarest
    ? [{ where: 'o.id IN (:wordOrders)', values: { wordOrders: nonEmptyIds(rarest.ids) } }]
    : []
  // An index of names contains all names, the product and the publication: orders narrowed by a name are checked for the other words in it alone.
  const others = words
    .filter((word) => word !== rarest?.word)
    .sort((one, other) => Number(isName(other)) - Number(isName(one)))
  const [lead] = others
  const [first = [], ...further] = others.map((word) => alternativesOf(ctx, word))
  const canSplit =
    first.length > 0 &&
    !rarest &&
    words.every(({ texts, numbered }) => texts && Array.isArray(numbered)) &&
    (further.length === 0 || (lead !== undefined && isName(lead)))
  const checked = further.map((alternatives) => perRowCondition(anyOf(alternatives)))
  const whole = allOf([...named, ...(others.length > 0 ? [perRowCondition(anyOf(first))] : []), ...checked])
  return {
    ...whole,
    parts: canSplit
      ? first.map((condition, at) =>
          allOf([condition, ...(at > 0 ? [not(anyOf(first.slice(0, at)))] : []), ...checked]),
        )
      : [whole],
  }
}

/** Whether only names of people contain a word, and the numbers of a few orders. */
function isName({ texts, publicationIds, amount }: SearchWord): boolean {
  return texts !== null && !texts.get('product')?.length && publicationIds.length === 0 && amount === null
}

const allOf = (conditions: readonly Condition[]) => joined(conditions, ' AND ')

/** A word that nothing contains has no condition. */
function anyOf(alternatives: readonly Condition[]): Condition {
  const { where, values } = joined(alternatives, ' OR ')
  return { where: alternatives.length > 0 ? `(${where})` : 'FALSE', values }
}

const not = ({ where, values }: Condition): Condition => ({ where: `NOT ${where}`, values })

function joined(conditions: readonly Condition[], by: string): Condition {
  return {
    where: conditions.map(({ where }) => where).join(by),
    values: Object.assign({}, ...conditions.map(({ values }) => values)),
  }
}

/** An empty list is not valid in SQL. */
export const nonEmptyIds = (ids: readonly number[]) => (ids.length > 0 ? ids : [-1])

/** Narrows to the orders of one publisher, if there is one. */
function ownership(ctx: SearchContext, table: string): Condition {
  const { publisherId } = tenantOf(ctx)
  return publisherId === undefined
    ? { where: 'TRUE', values: {} }
    : { where: `${table}.publisher_id = :publisherId`, values: { publisherId } }
}

async function lookUp(ctx: SearchContext, word: string, index: number, limits: typeof max): Promise<SearchWord> {
  const scope = ownership(ctx, 't')
  const search = caselessSearch(ctx.db, word)
  const has = (text: string) => search.isIn(text, 'q')
  const values = { ...scope.values, q: search.value }
  const [texts, publications, numbered] = await Promise.all([
    ctx.db.query<{ kind: OrderTextKind; text: string }>(
      `SELECT t.kind, t.text FROM order_texts t WHERE ${scope.where} AND ${has('t.text')} LIMIT ${limits.texts + 1}`,
      values,
    ),
    ctx.db.query<{ id: number }>(`SELECT n.id FROM publications n WHERE ${has('n.publication_name')}`, values),
    numberOrders(ctx, word, limits),
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
    numbered,
  }
}

/** The orders whose number contains a word, or how each is checked where they are many. */
async function numberOrders(ctx: SearchContext, word: string, limits: typeof max): Promise<SearchWord['numbered']> {
  const search = numberSearch(word)
  if (!search) return []
  const scope = ownership(ctx, 'o')
  const isNumber = numberCondition(search, 'number')
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT o.id FROM orders o WHERE ${scope.where} AND ${isNumber.where} LIMIT ${limits.orders + 1}`,
    { ...scope.values, ...isNumber.values },
  )
  return rows.length > limits.orders ? search : rows.map(({ id }) => id)
}

/** Z is the last of their letters, and there are seven: what begins with a text is a range of an index, on numbers or on their ends. */
function numberCondition({ as, text }: NumberSearch, name: string): Condition {
  if (as === 'whole') return { where: `o.order_number = :${name}`, values: { [name]: text } }
  const begins = (value: string) => `${value} BETWEEN :${name} AND :${name}End`
  const where =
    as === 'start'
      ? begins('o.order_number')
      : `(${
          placesOfPart(text)
            .map((place) => begins(`substr(o.order_number, ${place})`))
            .join(' OR ') || 'FALSE'
        })`
  return { where, values: { [name]: text, [`${name}End`]: `${text}ZZZZZZZ` } }
}

/** The orders that contain a word, by indexes; null where they are many. */
async function ordersOf(ctx: SearchContext, word: SearchWord, limits: typeof max): Promise<number[] | null> {
  if (!word.texts || !Array.isArray(word.numbered)) return null
  const alternatives = alternativesOf(ctx, word)
  if (alternatives.length === 0) return []
  const scope = ownership(ctx, 'o')
  const parts = alternatives.map(
    ({ where }) =>
      `SELECT id FROM (SELECT o.id FROM orders o WHERE ${scope.where} AND ${where} LIMIT ${limits.orders + 1}) part`,
  )
  const rows = await ctx.db.query<{ id: number }>(`${parts.join(' UNION ')} LIMIT ${limits.orders + 1}`, {
    ...joined(alternatives, '').values,
    ...scope.values,
  })
  return rows.length > limits.orders ? null : rows.map(({ id }) => id)
}

/** The conditions by which an order can contain a word. */
function alternativesOf(
  ctx: SearchContext,
  { index, word, texts, publicationIds, amount, numbered }: SearchWord,
): Condition[] {
  const alternatives: Condition[] = []
  const among = (column: string, name: string, list: readonly (string | number)[]) => {
    if (list.length > 0)
      alternatives.push({ where: `${column} IN (:${name}${index})`, values: { [`${name}${index}`]: list } })
  }
  const { last, first, product } = orderTextKinds
  if (texts) for (const [kind, list] of texts) among(orderTextKinds[kind], kind, list)
  else {
    const search = caselessSearch(ctx.db, word)
    const name = `q${index}`
    alternatives.push({
      where: search.isIn(`${last} || ' ' || ${first} || ' ' || ${product}`, name),
      values: { [name]: search.value },
    })
  }
  among('o.publication_id', 'titles', publicationIds)
  if (amount !== null)
    alternatives.push({ where: `o.amount = :amount${index}`, values: { [`amount${index}`]: amount } })
  if (Array.isArray(numbered)) among('o.id', 'numbered', numbered)
  else alternatives.push(numberCondition(numbered, `number${index}`))
  return alternatives
}
