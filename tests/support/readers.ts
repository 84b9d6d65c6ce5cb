import type { Running } from '#core/platform/make-services.ts'
import { allOptedOut, type OptOuts } from '#core/readers/opt-outs.rules.ts'
import { type ReaderRow, Readers } from '#core/readers/reader.model.ts'
import { deriveReader } from '#core/readers/reader-keys.rules.ts'
import { readersChanged } from '#core/readers/readers-changed.ts'

let counter = 0

/** A reader of a publication, in print for 2026 and opted out of nothing unless told otherwise. Gives its id. */
export async function makeReader(
  services: Running,
  publicationId: number,
  fields: Partial<ReaderRow> = {},
): Promise<number> {
  const optedIn = Object.fromEntries(Object.keys(allOptedOut()).map((flag) => [flag, false])) as OptOuts
  const blank = {
    firstName: '',
    lastName: '',
    fullName: '',
    email: '',
    companyName: '',
    city: '',
    postCode: '',
    country: '',
  }
  const lines = { addressOne: '', addressTwo: '', addressThree: '', addressFour: '' }
  const reader = await services.db.transaction(async () => {
    const made = await Readers(services).create({
      publicationId,
      uniqueReference: `TR${++counter}`,
      subType: 'print',
      subStartOn: '2026-01-01',
      subEndOn: '2026-12-31',
      subRenewOn: '2026-12-31',
      origin: 'file',
      ...optedIn,
      ...fields,
      ...deriveReader({ ...blank, ...lines, ...fields }, 'GB'),
    })
    await readersChanged(services.db, publicationId)
    return made
  })
  return reader.id
}

/** The row as it is stored; undefined when there is none. */
export async function readerRow(services: Running, id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await services.db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, { id })
  return row
}
