import { actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { formatMoney, type Money } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { emailKey, postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import { normalisePostCode } from '../postcodes/post-code.rules.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { type NewTerm, newTerm } from '../terms/term.rules.ts'
import { type NotedEvent, queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { derivedReaderKeys } from './derived-reader-keys.ts'
import { composedFullName } from './full-name.rules.ts'
import { homeCountryOf } from './home-country.query.ts'
import { nextUniqueReference } from './next-unique-reference.ts'
import { normaliseAnswers } from './normalise-answers.rules.ts'
import { type OptOuts, optOuts } from './opt-outs.rules.ts'
import { ReaderEvents } from './reader-events.rows.ts'
import type { KeyedFields } from './reader-keys.rules.ts'
import { isGiftSql, lockReaders, type ReaderRow, Readers } from './readers.rows.ts'
import { recordToExtend } from './record-to-extend.rules.ts'
import { type TermFields, termFields } from './term-fields.rules.ts'

/** A paid (or free) order as the reader's record needs it. */
export interface BoughtSubscription {
  publicationId: number
  /** Who pays: the record goes into this account. */
  buyerId: number
  /** Never extends an existing record: a gift, or an order under an unproven email. */
  isNewRecord: boolean
  /** The record that staff chose; it is extended if it can take what was bought. */
  readerId?: number | undefined
  /** That record may be in any account, and moves into this one. Its name, address and opt-outs stay, and its email unless that is blank. */
  keepsRecord?: boolean
  today: Day
  /** The first day of a term that follows no other, if it is not today. */
  startOn?: Day | undefined
  email: string
  telephone: string
  /** Where it is delivered to, or the billing address if nothing is. */
  address: PostalAddress
  optOuts: OptOuts
  answers: Record<string, string>
  plan: { product: Product; termMonths: TermMonths | null }
  orderId: number
  orderNumber: string
  productName: string
  /** Null for a free subscription. */
  money: Money | null
}

/**
 * Writes a bought subscription to a reader's record, in the order's transaction: one of the buyer's own that it can extend, else one in no account
 * with the same email, surname and postcode, else a new one. Returns the bought term.
 */
export async function subscribeReader(
  ctx: AppContext,
  bought: BoughtSubscription,
): Promise<{ readerId: number; startOn: Day; endOn: Day }> {
  const { existing, term } = await recordFor(ctx, bought)
  const before = existing && formerValues(existing)
  const readerId = await writeRecord(ctx, bought, term, existing)
  await recordSubscription(ctx, readerId, existing ? 'subscribed' : 'added', bought, term, before)
  await termsChanged(ctx, bought.publicationId, [readerId])
  await queueWebhooks(ctx, bought.publicationId, ...eventsOf(bought, readerId, term, existing))
  return { readerId, startOn: term.startOn, endOn: term.endOn }
}

/** The webhook events of an order: a new or changed record, and a term that begins or continues. */
function eventsOf(
  { orderId, keepsRecord = false }: BoughtSubscription,
  readerId: number,
  { startOn }: NewTerm,
  existing: ReaderRow | null,
): NotedEvent[] {
  const isContinuation = existing !== null && existing.subType !== '' && startOn <= addDays(existing.subEndOn, 1)
  const record = existing ? (keepsRecord ? [] : (['reader.changed'] as const)) : (['reader.added'] as const)
  return [
    ...record.map((type) => ({ type, readerId })),
    { type: isContinuation ? 'subscription.renewed' : 'subscription.started', readerId, data: { orderId } },
  ]
}

async function writeRecord(
  ctx: AppContext,
  bought: BoughtSubscription,
  term: NewTerm,
  existing: ReaderRow | null,
): Promise<number> {
  const { publicationId, keepsRecord = false } = bought
  const fields = fieldsOf(bought, term, existing)
  if (!existing) {
    const uniqueReference = await nextUniqueReference(ctx, publicationId)
    const person = await personOf(ctx, bought)
    return Readers.insert(ctx, { ...person, ...fields, publicationId, uniqueReference, origin: 'storefront' })
  }
  const person = keepsRecord ? missingEmail(bought, existing) : await personOf(ctx, bought)
  await Readers.update(
    ctx,
    { id: existing.id },
    { ...person, ...fields, version: existing.version + 1, isDeleted: false },
  )
  return existing.id
}

/** A kept record without an email gets the email of its order. */
function missingEmail({ email }: BoughtSubscription, existing: ReaderRow): Partial<ReaderRow> {
  return existing.email === '' && email !== '' ? { email, keyEmail: emailKey(email) } : {}
}

type FormerValues = OptOuts & TermFields

/** The previous values that the order's history entry stores. Read them before the record is changed. */
function formerValues(existing: ReaderRow): FormerValues {
  const optedOut = Object.fromEntries(optOuts.map(({ field }) => [field, existing[field]])) as OptOuts
  return { ...optedOut, ...termFields(existing) }
}

async function recordFor(
  ctx: AppContext,
  bought: BoughtSubscription,
): Promise<{ existing: ReaderRow | null; term: NewTerm }> {
  const { plan, today, isNewRecord, startOn = today, readerId, publicationId, keepsRecord = false } = bought
  const candidates =
    readerId === undefined
      ? [ownRecords, unownedRecords]
      : [
          async () => {
            const records = await lockReaders(ctx, publicationId, [readerId])
            return keepsRecord ? records : records.filter(isInAccountOf(bought.buyerId))
          },
        ]
  for (const records of isNewRecord ? [] : candidates) {
    const choice = recordToExtend(await records(ctx, bought), plan, today, startOn)
    if (choice) return { existing: choice.record, term: choice.term }
  }
  const term = newTerm(null, plan, today, startOn)
  if (!term) throw new Error('A new record has room for any subscription')
  return { existing: null, term }
}

/**
 * The ids of the records that an order under this email may extend, in the account of the buyer (null if there is none) or in none. They have
 * to be locked first (see `lockReader`).
 */
export async function idsToExtend(
  ctx: AppContext,
  { buyerId, ...person }: Omit<Addressee, 'buyerId'> & { buyerId: number | null },
): Promise<number[]> {
  const records = buyerId === null ? [] : await ownRecords(ctx, { ...person, buyerId }, '')
  return [...records, ...(await unownedRecords(ctx, person, ''))].map(({ id }) => id)
}

type Addressee = Pick<BoughtSubscription, 'publicationId' | 'buyerId' | 'email'> & {
  address: Pick<PostalAddress, 'lastName' | 'postCode'>
}

/** A record in no account, or in this buyer's. */
const isInAccountOf = (buyer: number) => (record: ReaderRow) => record.buyerId === null || record.buyerId === buyer

/** The buyer's own records. Locked, so that two concurrent orders extend one after the other (SQLite has one writer anyway). */
function ownRecords(
  ctx: AppContext,
  { publicationId, buyerId }: Pick<Addressee, 'publicationId' | 'buyerId'>,
  lock = rowLock(ctx.db, { of: 'r' }),
): Promise<ReaderRow[]> {
  return Readers.rows(
    ctx,
    `SELECT ${Readers.columns('r')} FROM readers r
     WHERE r.buyer_id = :buyerId AND r.publication_id = :publicationId AND NOT ${isGiftSql} ORDER BY r.id ${lock}`,
    { publicationId, buyerId },
  )
}

/** Active records with the same email, surname and postcode that are in no account yet. */
async function unownedRecords(
  ctx: AppContext,
  { publicationId, email, address }: Omit<Addressee, 'buyerId'>,
  lock = rowLock(ctx.db),
): Promise<ReaderRow[]> {
  const keys = {
    keyEmail: emailKey(email),
    keySurname: textKey(address.lastName, 100),
    keyPostCode: postCodeKey(address.postCode),
  }
  if (Object.values(keys).includes('')) return []
  return Readers.rows(
    ctx,
    `SELECT ${Readers.columns()} FROM readers
     WHERE publication_id = :publicationId AND is_deleted = :no AND key_email = :keyEmail AND key_surname = :keySurname
       AND key_post_code = :keyPostCode AND buyer_id IS NULL
     ORDER BY id LIMIT 20 ${lock}`,
    { publicationId, ...keys, no: false },
  )
}

/** The columns that every order sets. */
function fieldsOf(bought: BoughtSubscription, term: NewTerm, existing: ReaderRow | null) {
  const { plan, money } = bought
  const answers: { answerA?: string; answerB?: string } = Object.fromEntries(
    (['A', 'B', 'C', 'D', 'E'] as const).flatMap((key) => {
      const answer = bought.answers[key]
      return answer ? [[`answer${key}`, answer]] : []
    }),
  )
  return {
    ...answers,
    ...normaliseAnswers(answers),
    buyerId: bought.buyerId,
    subType: plan.product,
    subStartOn: term.reader.subStartOn,
    subEndOn: term.reader.subEndOn,
    subAnchorDay: term.reader.subAnchorDay,
    subRenewOn: term.reader.subEndOn,
    subPaid: money?.amount ?? null,
    ...(money ? { subCurrency: money.currency } : {}),
    history: [existing?.history.trimEnd(), historyLine(bought, term)].filter(Boolean).join('\n'),
  }
}

/** The reader's name, address and consents. Fields that a form does not have (job title, data sources) are not changed. */
async function personOf(ctx: AppContext, bought: BoughtSubscription) {
  const { address } = bought
  const keyed: KeyedFields = {
    firstName: address.firstName,
    lastName: address.lastName,
    fullName: composedFullName(address),
    email: bought.email,
    companyName: address.companyName,
    addressOne: address.addressOne,
    addressTwo: address.addressTwo,
    addressThree: address.addressThree,
    addressFour: '',
    city: address.city,
    postCode: normalisePostCode(address.postCode, address.country),
    country: address.country,
  }
  return {
    ...keyed,
    ...(await derivedReaderKeys(ctx, bought.publicationId, keyed, await homeCountryOf(ctx, bought.publicationId))),
    ...bought.optOuts,
    title: address.title,
    state: address.state,
    ...(bought.telephone ? { telephone: bought.telephone } : {}),
  }
}

/** One line of the history that staff read on the reader's page. */
function historyLine(bought: BoughtSubscription, term: NewTerm): string {
  const price = bought.money ? formatMoney(bought.money) : 'Free'
  const until = bought.plan.termMonths === null ? 'until further notice' : `to ${formatDay(term.endOn)}`
  return `${formatDay(bought.today)} ${bought.orderNumber}: ${bought.productName}, ${price}, ${formatDay(term.startOn)} ${until}`
}

/** Writes the change of the record to its history, with the previous consent flags and the previous term. */
async function recordSubscription(
  ctx: AppContext,
  readerId: number,
  kind: 'added' | 'subscribed',
  bought: BoughtSubscription,
  term: { startOn: Day; endOn: Day },
  before: FormerValues | null,
): Promise<void> {
  const changed = optOuts.flatMap(({ field }) =>
    before && !bought.keepsRecord && before[field] !== bought.optOuts[field] ? [[field, before[field]]] : [],
  )
  await ReaderEvents.insert(ctx, {
    readerId,
    publicationId: bought.publicationId,
    kind,
    subType: bought.plan.product,
    startOn: term.startOn,
    endOn: term.endOn,
    amount: bought.money?.amount ?? null,
    currency: bought.money?.currency ?? null,
    orderId: bought.orderId,
    before: before && { ...Object.fromEntries(changed), ...termFields(before) },
    note: bought.productName,
    ...actorColumns(ctx.actor),
  })
}
