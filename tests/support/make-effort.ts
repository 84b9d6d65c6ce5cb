import type { Running } from '#core/platform/make-services.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { renewalLinkKey } from '#core/series/renewal-link.ts'

type Effort = Parameters<typeof ReaderEfforts.insert>[1]

/** A due effort about the end of a reader's subscription, by default the reminder thirty days before it, with the key of its link. */
export async function makeEffort(
  services: Running,
  readerId: number,
  fields: Partial<Effort> = {},
): Promise<{ id: number; key: string }> {
  const reader = await Readers.find(services, { id: readerId })
  if (!reader) throw new Error('There is no such reader')
  const { publicationId, subEndOn: cycleOn } = reader
  const [publication] = await services.db.query<{ publisherId: number }>(
    `SELECT publisher_id AS "publisherId" FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const id = await ReaderEfforts.insert(services, {
    publisherId: publication?.publisherId ?? 0,
    publicationId,
    readerId,
    cycleOn,
    dayOffset: -30,
    state: 'due',
    plannedOn: cycleOn,
    kind: 'reminder',
    channel: 'mail',
    variant: 'a',
    addressee: 'reader',
    validUntil: '2027-12-31',
    ...fields,
  })
  return { id, key: renewalLinkKey(services.settings.appSecret, { publicationId, effortId: id }) }
}
