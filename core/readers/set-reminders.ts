import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { stopReminders } from './stop-reminders.ts'

/** Stops the renewal reminders of a record, or allows them again: on the reader's request to staff. */
export const setReminders = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int(), isStopped: z.boolean() }),
  async run(ctx, { id, isStopped }): Promise<{ changed: boolean }> {
    const { reader, publication } = await ownReaderRow(ctx, id)
    const changed = await stopReminders(ctx, { readerId: reader.id, publicationId: publication.id }, isStopped)
    if (changed) {
      const subject = { type: 'reader', id: reader.id, publisherId: publication.publisherId }
      await recordAudit(ctx, 'set-reminders', subject, { publicationId: publication.id, isStopped })
    }
    return { changed }
  },
})
