import { z } from 'zod'
import { asNullableInstant } from '../database.ts'
import { useCase } from '../use-case.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { type ReaderRecord, readerRecord } from './reader-record.ts'

/** Whether the email address of a record can be used. */
interface EmailStatus {
  /** Since when nothing is sent there because emails to it bounce, with the mail server's response; null if they do not. */
  emailBounced: { since: Date; answer: string } | null
  /** When its reader reported an email as spam: reminders and offers have stopped since. */
  emailComplained: Date | null
}

/**
 * One reader of the acting publisher with every stored field, the user who changed it last, and whether emails reach it; another publisher's is not
 * found.
 */
export const getReaderRecord = useCase({
  permission: 'reader:read',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<ReaderRecord & EmailStatus & { modifiedBy: string | null }> {
    const { reader, publication } = await ownReaderRow(ctx, id)
    const [row = {}] = await ctx.db.query<Record<string, unknown>>(
      `SELECT r.*, u.first_name AS editor_first, u.last_name AS editor_last, m.bounced_at AS email_bounced_at,
              m.answer AS email_answer, m.complained_at AS email_complained_at
       FROM readers r LEFT JOIN users u ON u.id = r.modified_by
       LEFT JOIN address_marks m ON m.publisher_id = :publisherId AND m.address_key = r.key_email AND r.key_email <> ''
       WHERE r.id = :id`,
      { id: reader.id, publisherId: publication.publisherId },
    )
    const modifiedBy = `${row.editor_first ?? ''} ${row.editor_last ?? ''}`.trim() || null
    const bouncedAt = asNullableInstant(row.email_bounced_at as Date | string | null)
    return {
      ...readerRecord(row),
      modifiedBy,
      emailBounced: bouncedAt ? { since: bouncedAt, answer: String(row.email_answer ?? '') } : null,
      emailComplained: asNullableInstant(row.email_complained_at as Date | string | null),
    }
  },
})
