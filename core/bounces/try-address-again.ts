import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { ownReaderRow } from '../readers/own-reader-row.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { requireManagedUser } from '../users/require-managed-user.ts'
import { userSubject } from '../users/user-subject.ts'
import { AddressMarks, installationPublisherId } from './address-marks.rows.ts'
import { type Addresses, addressesOfPublication, addressesOfReader, addressesOfUser } from './reader-marks.query.ts'
import { markChanged } from './record-delivery-event.ts'

/** Removes the marks of a reader's addresses: emails are sent to them again, until one bounces. False if there was no mark. */
export const tryReaderAddress = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  async run(ctx, { id }): Promise<{ changed: boolean }> {
    const { publication } = await ownReaderRow(ctx, id, { isLocked: true })
    const changed = await clearMarks(ctx, await addressesOfReader(ctx, id))
    const subject = { type: 'reader', id, publisherId: publication.publisherId }
    if (changed) await recordAudit(ctx, 'try-address', subject, { publicationId: publication.id })
    return { changed }
  },
})

/** Removes the marks of the address of a user of the back office. */
export const tryUserAddress = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ changed: boolean }> {
    const user = await requireManagedUser(ctx, 'edit', id)
    const changed = await clearMarks(ctx, addressesOfUser(user))
    if (changed) await recordAudit(ctx, 'try-address', userSubject(user))
    return { changed }
  },
})

/** Removes the marks of the addresses to which a publication's own emails go. */
export const tryPublicationAddresses = useCase({
  permission: 'mail:resend',
  input: z.object({ id: z.coerce.number('The publication was not found').int() }),
  async run(ctx, { id }): Promise<{ changed: boolean }> {
    const publication = await ownPublication(ctx, { id })
    const changed = await clearMarks(ctx, addressesOfPublication(publication))
    const subject = { type: 'publication', id, publisherId: publication.publisherId }
    if (changed) await recordAudit(ctx, 'try-address', subject)
    return { changed }
  },
})

/** Removes the mark of an address that gets the installation's own emails without being a user's: CONTACT_EMAIL, or a recipient of monthly packs. */
export const tryInstallationAddress = useCase({
  permission: 'machine:operate',
  input: z.object({ address: EmailAddress }),
  async run(ctx, { address }): Promise<{ changed: boolean }> {
    const changed = await clearMarks(ctx, { publisherIds: [installationPublisherId], addresses: [address] })
    if (changed) await recordAudit(ctx, 'try-address', { type: 'address', id: null })
    return { changed }
  },
})

async function clearMarks(ctx: AppContext, { publisherIds, addresses }: Addresses): Promise<boolean> {
  let changed = false
  for (const publisherId of publisherIds)
    for (const addressKey of new Set(addresses.map((address) => emailKey(address.trim())))) {
      const mark = await AddressMarks.find(ctx, { publisherId, addressKey }, { isLocked: true })
      if (!mark?.bouncedAt && !mark?.complainedAt) continue
      await resetMark(ctx, mark)
      changed = true
    }
  return changed
}

/** Allows emails to an address again, whatever was reported about it until now. Call it with the row locked. */
export async function resetMark(
  ctx: AppContext,
  { id, publisherId, addressKey }: Pick<RowOf<typeof AddressMarks>, 'id' | 'publisherId' | 'addressKey'>,
): Promise<void> {
  const clean = { bouncedAt: null, complainedAt: null, status: '', answer: '' }
  await AddressMarks.update(ctx, { id }, { ...clean, resetAt: ctx.now() })
  await markChanged(ctx, { publisherId, addressKey })
}
