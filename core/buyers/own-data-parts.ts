import { columnName } from '../kernel/column-name.ts'
import { internalReaderColumns, readerFields } from '../readers/reader-fields.rules.ts'

const readerColumns = [...readerFields, ...internalReaderColumns].filter(({ seenBy }) => seenBy === 'reader')
const columnsOf = (columns: typeof readerColumns) => columns.map(({ name }) => columnName(name)).join(', ')

/**
 * Whether an email went to an address that the buyer has ordered or been notified with. Alone that is not enough: the address may be another person's
 * by now, and the email about them.
 */
const isFormerAddress = `LOWER(to_address) IN (SELECT LOWER(email) FROM orders WHERE buyer_id = :buyerId
  UNION SELECT LOWER(to_address) FROM emails WHERE buyer_id = :buyerId)`

/** The data stored about a buyer: the name of each part, and its query. Ids, hashes and search keys are left out: they are not personal data. */
export const ownDataParts = [
  {
    name: 'account',
    sql: `SELECT email, title, first_name, last_name, mobile, language, first_sub_start_on, shipping, last_login_at, created_at, updated_at
          FROM buyers WHERE id = :buyerId`,
  },
  {
    name: 'readerRecord',
    sql: `SELECT ${columnsOf(readerColumns.filter(({ kind }) => kind !== 'flag'))}
          FROM readers WHERE id IN (:readerIds) AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'consents',
    sql: `SELECT ${columnsOf(readerColumns.filter(({ kind }) => kind === 'flag'))}
          FROM readers WHERE id IN (:readerIds) AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'readerHistory',
    sql: `SELECT kind, sub_type, start_on, end_on, amount, currency, before, note, created_at
          FROM reader_events WHERE reader_id IN (:readerIds) AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'orders',
    sql: `SELECT order_number, state, kind, placed_at, paid_at, product_name, term_months, is_recurring, is_gift, gift, country, language, currency,
                 product_price, discount, amount, promo_code, payment_type, sub_start_on, sub_end_on, title, first_name, last_name, email,
                 mobile, billing, shipping, utm_source, utm_medium, utm_campaign
          FROM orders WHERE buyer_id = :buyerId AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'orderItems',
    sql: `SELECT o.order_number, i.description, i.quantity, i.unit_price, i.postage, i.discount, i.amount
          FROM order_items i JOIN orders o ON o.id = i.order_id
          WHERE o.buyer_id = :buyerId AND o.publication_id = :publicationId ORDER BY i.id`,
  },
  {
    name: 'payments',
    sql: `SELECT o.order_number, p.provider, p.state, p.amount, p.currency, p.created_at
          FROM payments p JOIN orders o ON o.id = p.order_id
          WHERE o.buyer_id = :buyerId AND o.publication_id = :publicationId ORDER BY p.id`,
  },
  {
    name: 'refunds',
    sql: `SELECT o.order_number, r.state, r.amount, r.currency, r.from_on, r.until_on, r.method, r.reason, r.planned_at, r.ended_at
          FROM refunds r JOIN orders o ON o.id = r.order_id
          WHERE o.buyer_id = :buyerId AND o.publication_id = :publicationId ORDER BY r.id`,
  },
  {
    name: 'invoices',
    sql: `SELECT o.order_number, i.number, i.issued_on, i.due_on, i.currency, i.amount, i.paid, i.credited, i.written_off, i.reminders
          FROM invoices i JOIN orders o ON o.id = i.order_id
          WHERE o.buyer_id = :buyerId AND o.publication_id = :publicationId ORDER BY i.id`,
  },
  {
    name: 'automaticRenewals',
    sql: `SELECT product, term_months, provider, state, renews_on, price, price_changed_on, currency, consent_text, consented_at, terms_version, contract_on,
                 last_four, ended_at, created_at
          FROM payment_agreements WHERE buyer_id = :buyerId AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'renewalReminders',
    sql: `SELECT kind, channel, state, cycle_on, planned_on, produced_on, product, term_months, price, currency, valid_until, opened_at
          FROM reader_efforts WHERE reader_id IN (:readerIds) AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'remindersStopped',
    sql: `SELECT stopped_at, cycle_on FROM reminder_stops
          WHERE reader_id IN (:readerIds) AND publication_id = :publicationId ORDER BY id`,
  },
  {
    name: 'emailsSent',
    sql: `SELECT template, subject, to_address, state, sent_at, created_at
          FROM emails WHERE publication_id = :publicationId AND (key_address = :emailKey OR LOWER(to_address) = :emailKey
            OR buyer_id = :buyerId OR reader_id IN (:readerIds) OR (${isFormerAddress} AND (reader_id IN (:giftIds)
              OR order_id IN (SELECT id FROM orders WHERE buyer_id = :buyerId)))) ORDER BY id`,
  },
  {
    name: 'undeliverableAddress',
    sql: `SELECT address_key, bounced_at, complained_at, status, answer, created_at
          FROM address_marks WHERE address_key = :emailKey
            AND publisher_id = (SELECT publisher_id FROM publications WHERE id = :publicationId)`,
  },
  {
    name: 'logIns',
    sql: `SELECT started_at, last_seen_at, ended_at, address FROM sessions WHERE buyer_id = :buyerId ORDER BY id`,
  },
  {
    name: 'appsLoggedIn',
    sql: `SELECT a.name, g.created_at, g.ends_at, g.revoked_at FROM app_grants g JOIN partner_apps a ON a.id = g.app_id
          WHERE g.buyer_id = :buyerId ORDER BY g.id`,
  },
  {
    name: 'activity',
    sql: `SELECT happened_at, action, door AS entry_point, facts, address
          FROM audit_log WHERE actor_kind = 'buyer' AND actor_id = :buyerId ORDER BY id`,
  },
] as const
