import { z } from 'zod'
import type { ReaderListItem } from '#core/readers/search-readers.query.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import { IsoDay, pageQuery, WireId } from './wire-values.ts'

/** Search fields of a reader. Each matches by prefix; all fields sent must match. */
export const searchBody: Record<string, string> = {
  publicationID: 'publicationId',
  lastName: 'lastName',
  email: 'email',
  companyName: 'companyName',
  fullName: 'fullName',
  uniqueReference: 'uniqueReference',
  postZip: 'postZip',
  ...pageQuery,
}

const text = z.string()

export const WireReader = z.object({
  _id: WireId,
  uniqueReference: text,
  title: text,
  firstName: text,
  lastName: text,
  fullName: text,
  companyName: text,
  email: text,
  postCode: text,
  country: text,
  subType: z.enum(['', ...subTypes]),
  subStartDate: IsoDay,
  subEndDate: IsoDay,
  isDeleted: z.boolean(),
  emailBounces: z.boolean().describe('Messages to its email bounce, so nothing is sent there'),
})

export function wireReader(reader: ReaderListItem): z.input<typeof WireReader> {
  return { ...reader, _id: reader.id, subStartDate: reader.subStartOn, subEndDate: reader.subEndOn }
}
