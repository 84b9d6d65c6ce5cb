import type { Services } from '../context.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { DemoPromoCode, DemoPublication } from './demo-publications.ts'
import { insertRows, type NewRow } from './insert-rows.ts'

/** A publication that was written, with the ids its orders need. */
export interface SeededPublication {
  id: number
  publication: DemoPublication
  promoIds: Map<DemoPromoCode, number>
}

const bands = ['UK', 'US', 'EU'] as const

/** Writes one magazine with its prices, back issues and promo codes. */
export async function seedPublication(
  { db, now, settings }: Services,
  publisherId: number,
  publication: DemoPublication,
  days: { today: Day; since: Date },
): Promise<SeededPublication> {
  const timestamps = { created_at: days.since, updated_at: now() }
  const { urlKey } = publication
  await insertRows(db, 'publications', [publicationRow(publisherId, publication, settings.appUrl, timestamps)])
  const [row] = await db.query<{ id: number }>(`SELECT id FROM publications WHERE url_key_lower = :urlKey`, { urlKey })
  const id = row?.id ?? 0
  await insertRows(
    db,
    'publication_prices',
    publication.prices.flatMap(({ product, termMonths, isRecurring, amounts }) =>
      bands.map((band, index) => ({
        publication_id: id,
        product,
        term_months: termMonths,
        band,
        is_recurring: isRecurring,
        amount: amounts[index] ?? 0,
      })),
    ),
  )
  await insertRows(
    db,
    'back_issues',
    publication.backIssues
      .map((issue, index) => ({
        publication_id: id,
        volume: issue.volume,
        description: issue.description,
        stock: issue.stock,
        price: issue.price[0],
        price_us: issue.price[1],
        price_eu: issue.price[2],
        postage: issue.postage[0],
        postage_us: issue.postage[1],
        postage_eu: issue.postage[2],
        cover_image: `demo/${urlKey}-back-${index + 1}.svg`,
        removed_at: null,
        ...timestamps,
      }))
      .reverse(), // Listed newest first, entered oldest first.
  )
  const texts = { 'order-receipt': publication.receiptText, 'renewal-reminder': publication.renewText }
  await insertRows(
    db,
    'mail_texts',
    Object.entries(texts).map(([mail, body]) => ({
      publication_id: id,
      mail,
      language: '',
      subject: '',
      body,
      updated_by: null,
      ...timestamps,
    })),
  )
  await insertRows(
    db,
    'promo_codes',
    publication.promoCodes.map((promo) => ({
      publication_id: id,
      name: promo.name,
      code: promo.code,
      code_key: promo.code,
      discount_percent: promo.percent,
      starts_on: promo.starts === null ? null : addDays(days.today, promo.starts),
      ends_on: promo.ends === null ? null : addDays(days.today, promo.ends),
      uses: promo.uses,
      applicable_products: promo.applicable,
      used: 0,
      ...timestamps,
    })),
  )
  const promos = await db.query<{ id: number; code: string }>(
    `SELECT id, code FROM promo_codes WHERE publication_id = :id`,
    { id },
  )
  return {
    id,
    publication,
    promoIds: new Map(
      publication.promoCodes.map((promo) => [promo, promos.find(({ code }) => code === promo.code)?.id ?? 0]),
    ),
  }
}

function publicationRow(publisherId: number, publication: DemoPublication, appUrl: string, timestamps: NewRow): NewRow {
  const { name, urlKey } = publication
  const link = (key: keyof DemoPublication['links']) => (publication.links[key] ?? '').replace('{app}', appUrl)
  return {
    publisher_id: publisherId,
    publication_name: name,
    url_key: urlKey,
    url_key_lower: urlKey,
    issues_per_year: publication.issuesPerYear,
    color: publication.color,
    publication_info: publication.info,
    web_address: link('webAddress'),
    email_address: `hello@${urlKey}.example`,
    order_email_address: `orders@${urlKey}.example`,
    cc_email: '',
    sample_edition: link('sampleEdition'),
    cover_image: `demo/${urlKey}-cover.svg`,
    logo_image: `demo/${urlKey}-logo.svg`,
    sells_back_issues: publication.backIssues.length > 0,
    digital_is_free: publication.digitalIsFree,
    print_is_free: false,
    bundle_is_free: false,
    question_a: publication.questionA,
    question_b: '',
    question_c: publication.questionC,
    question_d: '',
    question_e: '',
    ios_app_link: link('iosAppLink'),
    android_app_link: link('androidAppLink'),
    kindle_app_link: link('kindleAppLink'),
    digital_edition_link: link('digitalEditionLink'),
    facebook: link('facebook'),
    twitter: link('twitter'),
    instagram: link('instagram'),
    youtube: link('youtube'),
    email_text: '',
    email_end: '',
    references_made: 0,
    reference_shift: 0,
    removed_at: null,
    ...timestamps,
  }
}
