import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { ownReaderRow } from '../readers/own-reader-row.ts'
import { useCase } from '../use-case.ts'
import { ownUser } from '../users/own-user.ts'
import { type AddressMark, addressMark, installationPublisherId } from './address-marks.rows.ts'

/** An address whose emails bounce, or whose reader reported an email as spam. */
export interface MarkedAddress extends Pick<AddressMark, 'bouncedAt' | 'complainedAt' | 'status' | 'answer'> {
  address: string
}

/** Which addresses are looked up, and under which publishers. */
export interface Addresses {
  publisherIds: readonly number[]
  addresses: readonly string[]
}

/** The marked addresses of a reader: the record's own, and the one of its account. */
export const readerMarks = useCase({
  permission: 'reader:read',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<MarkedAddress[]> {
    return markedAmong(ctx, await addressesOfReader(ctx, id))
  },
})

/** The address of a user of the back office, if it is marked. */
export const userMarks = useCase({
  permission: 'user:read',
  input: z.object({ id: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<MarkedAddress[]> {
    return markedAmong(ctx, addressesOfUser(await ownUser(ctx, id)))
  },
})

/** The marked addresses among those to which a publication's own emails go: notices of orders, and their copies. */
export const publicationMarks = useCase({
  permission: 'mail:read',
  input: z.object({ id: z.coerce.number('The publication was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<MarkedAddress[]> {
    return markedAmong(ctx, addressesOfPublication(await ownPublication(ctx, { id })))
  },
})

/** The addresses of one of the acting publisher's own readers; another publisher's reader is not found. */
export async function addressesOfReader(ctx: AppContext, id: number): Promise<Addresses> {
  const { reader, publication } = await ownReaderRow(ctx, id)
  const [buyer] = await ctx.db.query<{ email: string }>(
    `SELECT email FROM buyers WHERE id = :buyerId AND publication_id = :publicationId`,
    { buyerId: reader.buyerId, publicationId: publication.id },
  )
  const addresses = [reader.email, ...(buyer ? [buyer.email] : [])].filter((email) => email !== '')
  return { publisherIds: [publication.publisherId], addresses }
}

/** A user gets the product's emails under the installation, and those about a title under its publisher. */
export function addressesOfUser(user: { id: number; email: string; parentPublisherId: number | null }): Addresses {
  return { publisherIds: [installationPublisherId, user.parentPublisherId ?? user.id], addresses: [user.email] }
}

/** The addresses that get notices of a publication's orders (its contact address, if none is set for them) and copies of them. */
export function addressesOfPublication(
  publication: Pick<PublicationRow, 'publisherId' | 'orderEmailAddress' | 'emailAddress' | 'ccEmail'>,
): Addresses {
  const { publisherId, orderEmailAddress, emailAddress, ccEmail } = publication
  return { publisherIds: [publisherId], addresses: [orderEmailAddress || emailAddress, ccEmail] }
}

async function markedAmong(ctx: AppContext, { publisherIds, addresses }: Addresses): Promise<MarkedAddress[]> {
  const marked = new Map<string, MarkedAddress>()
  for (const publisherId of publisherIds)
    for (const address of addresses) {
      const mark = await addressMark(ctx, { publisherId, address })
      if (!mark?.bouncedAt && !mark?.complainedAt) continue
      const { bouncedAt, complainedAt, status, answer } = mark
      marked.set(address.toLowerCase(), { address, bouncedAt, complainedAt, status, answer })
    }
  return [...marked.values()]
}
