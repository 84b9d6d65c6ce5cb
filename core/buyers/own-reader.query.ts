import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'
import type { SubType } from '../terms/term.rules.ts'
import type { BuyerRow } from './live-buyer.ts'

/** The part of a reader record that its reader sees. */
export interface OwnReader {
  id: number
  uniqueReference: string
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  isDeleted: boolean
  address: PostalAddress
  optOuts: OptOuts
}

type Row = Record<string, string> & { id: number }

/** The reader record that a buyer pays for, in the buyer's own publication; null where there is none. */
export async function ownReader(
  { db }: Pick<AppContext, 'db'>,
  buyer: Pick<BuyerRow, 'readerId' | 'publicationId'>,
): Promise<OwnReader | null> {
  if (buyer.readerId === null) return null
  const [row] = await db.query<Row>(
    `SELECT r.*, COALESCE(a.country, 'GB') AS home_country FROM readers r JOIN publications p ON p.id = r.publication_id
     LEFT JOIN accounts a ON a.user_id = p.publisher_id
     WHERE r.id = :id AND r.publication_id = :publicationId`,
    { id: buyer.readerId, publicationId: buyer.publicationId },
  )
  if (!row) return null
  const text = (column: string) => row[column] ?? ''
  const flag = (column: string) => asBoolean(row[column])
  return {
    id: row.id,
    uniqueReference: text('unique_reference'),
    subType: text('sub_type') as SubType | '',
    subStartOn: text('sub_start_on'),
    subEndOn: text('sub_end_on'),
    isDeleted: flag('is_deleted'),
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
