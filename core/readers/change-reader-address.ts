import type { AppContext } from '../context.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { normalisePostCode } from '../postcodes/post-code.rules.ts'
import { derivedReaderKeys } from './derived-reader-keys.ts'
import { composedFullName } from './full-name.rules.ts'
import { lockKeptRecord } from './kept-record.ts'
import { readersChanged } from './reader-editions.rows.ts'
import type { KeyedFields } from './reader-keys.rules.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Writes the name and address given by a reader, or the giver of a gift, to the record, also to a removed one, and records the previous values in its
 * history. Call it in a transaction. Returns the names of the fields that changed; none if there is no such record in the publication.
 */
export async function changeReaderAddress(
  ctx: AppContext,
  {
    readerId,
    publicationId,
    address,
    by = 'reader',
  }: { readerId: number; publicationId: number; address: PostalAddress; by?: 'reader' | 'giver' },
): Promise<string[]> {
  const record = await lockKeptRecord(ctx, { readerId, publicationId })
  if (!record) return []
  const { reader } = record
  const keyed: KeyedFields = {
    firstName: address.firstName,
    lastName: address.lastName,
    fullName: composedFullName(address),
    email: reader.email,
    companyName: address.companyName,
    addressOne: address.addressOne,
    addressTwo: address.addressTwo,
    addressThree: address.addressThree,
    addressFour: '',
    city: address.city,
    postCode: normalisePostCode(address.postCode, address.country),
    country: reader.country,
  }
  const fields = { ...keyed, title: address.title, state: address.state }
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) => reader[field] !== fields[field])
  if (changed.length === 0) return []
  const before = Object.fromEntries(changed.map((field) => [field, reader[field]]))
  const keys = await derivedReaderKeys(ctx, publicationId, keyed, address.country)
  await record.write({ ...fields, ...keys, modifiedBy: null })
  const note = by === 'giver' ? 'Delivery address changed by the giver' : 'Delivery address changed by the reader'
  const { isRemoved } = record
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, before, isRemoved })
  await readersChanged(ctx.db, publicationId)
  return changed
}
