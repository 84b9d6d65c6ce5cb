import type { AppContext } from '../context.ts'
import { nonEmptyIds } from '../database.ts'
import { caselessSearch } from '../dialect.ts'
import { parseMinorUnits } from '../kernel/money.ts'
import { type NumberSearch, numberSearch, placesOfPart } from '../kernel/order-number.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { type Condition, perRowCondition } from './order-filter.ts'
import { type OrderTextKind, orderTextKinds } from './order-texts.rows.ts'

type SearchContext = Pick<AppContext, 'actor' | 'db'>

/** How many orders a statement lists by id; if more match, each order is checked by a condition. */
export const maxListedIds = 2000

/** How many orders and texts a statement lists. */
const maxListed = { orders: maxListedIds, texts: 5000 }

const maxWords = 6

/** A search word and where it was found. */
interface SearchWord {
  /** Makes the names of its parameters unique. */
  index: number
  /** In lower case. */
  word: string
  /** Names and products that contain it, by their kind; null: so many that each order is checked instead. */
  texts: ReadonlyMap<OrderTextKind, string[]> | null
  publicationIds: number[]
  /** The word as an amount in minor units; null if it is not one. */
  amount: number | null
  /** The orders whose number contains it; if there are too many, the search by which each order's number is checked. */
  byNumber: number[] | NumberSearch
}

/** A condition on `orders o`, and the same split into mutually exclusive `parts`, each of which can be counted by its own index. */
export interface SearchCondition extends Condition {
  parts: Condition[]
}

const kinds = Object.keys(orderTextKinds) as OrderTextKind[]

/**
 * The search text as a condition on `orders o`: every word occurs in the number (`numberSearch`), a name or the product of the order, in the name of
 * its publication, or is its amount. If few orders contain one of the words, the condition lists them by id.
 */
export async function orderSearchCondition(
  ctx: SearchContext,
  q: string | undefined,
  limits = maxListed,
): Promise<SearchCondition> {
  const typed = (q ?? '').split(/\s+/).filter(Boolean).slice(0, maxWords)
  const words = await Promise.all(typed.map((word, index) => lookUp(ctx, word, index, limits)))
  const lookUps = await Promise.all(words.map(async (word) => ({ word, ids: await ordersOf(ctx, word, limits) })))
  const [rarest] = lookUps
    .flatMap(({ word, ids }) => (ids ? [{ word, ids }] : []))
    .sort((a, b) => a.ids.length - b.ids.length)
  const listed: Condition[] = rarest
    ? [{ where: 'o.id IN (:wordOrders)', values: { wordOrders: nonEmptyIds(rarest.ids) } }]
    : []
  // The index of names also contains the product and the publication: if a name comes first, the other words are checked in the index alone.
  const others = words.filter((word) => word !== rarest?.word).sort((a, b) => Number(isName(b)) - Number(isName(a)))
  const [lead] = others
  const [first = [], ...further] = others.map((word) => alternativesOf(ctx, word))
  const canSplit =
    first.length > 0 &&
    !rarest &&
    words.every(({ texts, byNumber }) => texts && Array.isArray(byNumber)) &&
    (further.length === 0 || (lead !== undefined && isName(lead)))
  const furtherConditions = further.map((alternatives) => perRowCondition(anyOf(alternatives)))
  const all = allOf([...listed, ...(others.length > 0 ? [perRowCondition(anyOf(first))] : []), ...furtherConditions])
  return {
    ...all,
    parts: canSplit
      ? first.map((condition, index) =>
          allOf([condition, ...(index > 0 ? [not(anyOf(first.slice(0, index)))] : []), ...furtherConditions]),
        )
      : [all],
  }
}

/** Whether a word occurs only in names of people, and perhaps in order numbers. */
function isName({ texts, publicationIds, amount }: SearchWord): boolean {
  return texts !== null && !texts.get('product')?.length && publicationIds.length === 0 && amount === null
}

const allOf = (conditions: readonly Condition[]) => join(conditions, ' AND ')

/** No alternatives: nothing contains the word, so no order matches. */
function anyOf(alternatives: readonly Condition[]): Condition {
  const { where, values } = join(alternatives, ' OR ')
  return { where: alternatives.length > 0 ? `(${where})` : 'FALSE', values }
}

const not = ({ where, values }: Condition): Condition => ({ where: `NOT ${where}`, values })

function join(conditions: readonly Condition[], by: string): Condition {
  return {
    where: conditions.map(({ where }) => where).join(by),
    values: Object.assign({}, ...conditions.map(({ values }) => values)),
  }
}

/** Narrows to the orders of one publisher, if there is one. */
function ownership(ctx: SearchContext, table: string): Condition {
  const { publisherId } = tenantOf(ctx)
  return publisherId === undefined
    ? { where: 'TRUE', values: {} }
    : { where: `${table}.publisher_id = :publisherId`, values: { publisherId } }
}

async function lookUp(ctx: SearchContext, word: string, index: number, limits: typeof maxListed): Promise<SearchWord> {
  const scope = ownership(ctx, 't')
  const search = caselessSearch(ctx.db, word)
  const has = (text: string) => search.isIn(text, 'q')
  const values = { ...scope.values, q: search.value }
  const [texts, publications, byNumber] = await Promise.all([
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
    byNumber,
  }
}

/** The orders whose number contains a word; if there are too many, the search by which each order's number is checked. */
async function numberOrders(
  ctx: SearchContext,
  word: string,
  limits: typeof maxListed,
): Promise<SearchWord['byNumber']> {
  const search = numberSearch(word)
  if (!search) return []
  const scope = ownership(ctx, 'o')
  const condition = numberCondition(search, 'number')
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT o.id FROM orders o WHERE ${scope.where} AND ${condition.where} LIMIT ${limits.orders + 1}`,
    { ...scope.values, ...condition.values },
  )
  return rows.length > limits.orders ? search : rows.map(({ id }) => id)
}

/**
 * Texts that begin with the same characters are a range of an index, on order numbers or on their ends: order numbers have at most seven letters, and
 * Z is the last.
 */
function numberCondition({ as, text }: NumberSearch, name: string): Condition {
  if (as === 'whole') return { where: `o.order_number = :${name}`, values: { [name]: text } }
  const beginsWith = (value: string) => `${value} BETWEEN :${name} AND :${name}End`
  const where =
    as === 'start'
      ? beginsWith('o.order_number')
      : `(${
          placesOfPart(text)
            .map((place) => beginsWith(`substr(o.order_number, ${place})`))
            .join(' OR ') || 'FALSE'
        })`
  return { where, values: { [name]: text, [`${name}End`]: `${text}ZZZZZZZ` } }
}

/** The ids of the orders that contain a word, found by indexes; null if there are too many to list. */
async function ordersOf(ctx: SearchContext, word: SearchWord, limits: typeof maxListed): Promise<number[] | null> {
  if (!word.texts || !Array.isArray(word.byNumber)) return null
  const alternatives = alternativesOf(ctx, word)
  if (alternatives.length === 0) return []
  const scope = ownership(ctx, 'o')
  const parts = alternatives.map(
    ({ where }) =>
      `SELECT id FROM (SELECT o.id FROM orders o WHERE ${scope.where} AND ${where} LIMIT ${limits.orders + 1}) part`,
  )
  const rows = await ctx.db.query<{ id: number }>(`${parts.join(' UNION ')} LIMIT ${limits.orders + 1}`, {
    ...join(alternatives, '').values,
    ...scope.values,
  })
  return rows.length > limits.orders ? null : rows.map(({ id }) => id)
}

/** The conditions by which an order can contain a word. */
function alternativesOf(
  ctx: SearchContext,
  { index, word, texts, publicationIds, amount, byNumber }: SearchWord,
): Condition[] {
  const alternatives: Condition[] = []
  const addListed = (column: string, name: string, list: readonly (string | number)[]) => {
    if (list.length > 0)
      alternatives.push({ where: `${column} IN (:${name}${index})`, values: { [`${name}${index}`]: list } })
  }
  const { last, first, product } = orderTextKinds
  if (texts) for (const [kind, list] of texts) addListed(orderTextKinds[kind], kind, list)
  else {
    const search = caselessSearch(ctx.db, word)
    const name = `q${index}`
    alternatives.push({
      where: search.isIn(`${last} || ' ' || ${first} || ' ' || ${product}`, name),
      values: { [name]: search.value },
    })
  }
  addListed('o.publication_id', 'titles', publicationIds)
  if (amount !== null)
    alternatives.push({ where: `o.amount = :amount${index}`, values: { [`amount${index}`]: amount } })
  if (Array.isArray(byNumber)) addListed('o.id', 'byNumber', byNumber)
  else alternatives.push(numberCondition(byNumber, `number${index}`))
  return alternatives
}
