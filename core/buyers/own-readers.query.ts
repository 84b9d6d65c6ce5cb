import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { homeCountryOf } from '../readers/home-country.query.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import { lockBackupsOf } from '../readers/reader-backups.rows.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import { lockRemovedOf } from '../readers/removed-readers.rows.ts'
import { type SubType, termState } from '../terms/term.rules.ts'
import type { BuyerRow } from './live-buyer.ts'

/** The part of a reader record that the buyer sees. */
export interface OwnReader {
  id: number
  uniqueReference: string
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  subAnchorDay: number | null
  isDeleted: boolean
  /** A gift to another reader: its name, address and consents are that reader's. */
  isGift: boolean
  address: PostalAddress
  optOuts: OptOuts
}

type Row = Record<string, string | number | boolean | null> & { id: number }

/** No real account has so many records, but one that a faulty script made may. */
const maxReaders = 200

/** The reader records in a buyer's account, including gifts: running ones first, and of these the ones that end last. */
export async function ownReaders(
  { db, now, settings }: Pick<AppContext, 'db' | 'now' | 'settings'>,
  { id, publicationId }: Pick<BuyerRow, 'id' | 'publicationId'>,
): Promise<OwnReader[]> {
  // `+ 0` makes SQLite use the index of buyers: without statistics, it would scan the whole publication.
  const rows = await db.query<Row>(
    `SELECT r.*, COALESCE(a.country, 'GB') AS home_country, ${isGiftSql} AS is_gift
     FROM readers r JOIN publications p ON p.id = r.publication_id LEFT JOIN accounts a ON a.user_id = p.publisher_id
     WHERE r.buyer_id = :id AND r.publication_id + 0 = :publicationId ORDER BY r.id DESC LIMIT ${maxReaders}`,
    { id, publicationId },
  )
  const today = dayOf(now(), settings.timeZone)
  const rank = (reader: OwnReader) =>
    Number(reader.isDeleted) * 2 + Number(['none', 'expired'].includes(termState(reader, today)))
  return rows
    .map(ownReaderOf)
    .sort((a, b) => rank(a) - rank(b) || (a.subEndOn === b.subEndOn ? a.id - b.id : a.subEndOn < b.subEndOn ? 1 : -1))
}

/**
 * The buyer's own records that were removed, by staff or by an import, and may be restored, gifts aside, locked until the transaction ends: what the
 * buyer chooses meanwhile has to be in them. Call it before `ownReaders`, which then has those that were being restored.
 */
export async function ownRemovedReaders(
  ctx: AppContext,
  { id: buyerId, publicationId }: Pick<BuyerRow, 'id' | 'publicationId'>,
): Promise<OwnReader[]> {
  const account = { buyerId, publicationId }
  const images = [...(await lockRemovedOf(ctx, account)), ...(await lockBackupsOf(ctx, account))]
  if (images.length === 0) return []
  const homeCountry = await homeCountryOf(ctx, publicationId)
  return images.map((image) => ownReaderOf({ ...image, home_country: homeCountry, is_gift: false }))
}

/** The first of the buyer's records that is not a gift; null if there is none. */
export async function ownReader(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  buyer: Pick<BuyerRow, 'id' | 'publicationId'>,
): Promise<OwnReader | null> {
  const readers = await ownReaders(ctx, buyer)
  return readers.find(({ isGift }) => !isGift) ?? null
}

function ownReaderOf(row: Row): OwnReader {
  const text = (column: string) => String(row[column] ?? '')
  const flag = (column: string) => asBoolean(row[column])
  return {
    id: row.id,
    uniqueReference: text('unique_reference'),
    subType: text('sub_type') as SubType | '',
    subStartOn: text('sub_start_on'),
    subEndOn: text('sub_end_on'),
    subAnchorDay: row.sub_anchor_day === null ? null : Number(row.sub_anchor_day),
    isDeleted: flag('is_deleted'),
    isGift: flag('is_gift'),
    address: {
      title: text('title'),
      firstName: text('first_name'),
      lastName: text('last_name'),
      companyName: text('company_name'),
      addressOne: text('address_one'),
      addressTwo: text('address_two'),
      addressThree: [text('address_three'), text('address_four')].filter(Boolean).join(', '),
      city: text('city'),
      state: text('state'),
      postCode: text('post_code'),
      country: text('country') || text('home_country'),
    },
    optOuts: {
      pubOffers: flag('pub_offers'),
      pubOffersPost: flag('pub_offers_post'),
      pubOffersTel: flag('pub_offers_tel'),
      pubOffersSms: flag('pub_offers_sms'),
      partnerOffers: flag('partner_offers'),
      partnerOffersPost: flag('partner_offers_post'),
      partnerOffersTel: flag('partner_offers_tel'),
      partnerOffersSms: flag('partner_offers_sms'),
    },
  }
}
