import type { Running } from '#core/platform/make-services.ts'
import { termsChanged } from '#core/readers/circulation-terms.rows.ts'
import { allOptedOut, type OptOuts } from '#core/readers/opt-outs.rules.ts'
import { readersChanged } from '#core/readers/reader-editions.rows.ts'
import { deriveReader } from '#core/readers/reader-keys.rules.ts'
import { type ReaderRow, Readers } from '#core/readers/readers.rows.ts'

let counter = 0

/** A reader of a publication, in print for 2026 and without opt-outs by default. Returns its id. */
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
  return services.db.transaction(async () => {
    const id = await Readers.insert(services, {
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
    await termsChanged(services, publicationId, [id])
    return id
  })
}

/** Further readers that equal this one except for their reference, `<its reference>-1` and so on: thousands in one call. */
export async function copyReader(services: Running, id: number, count: number): Promise<void> {
  const { id: _, ...columns } = (await readerRow(services, id)) ?? {}
  const names = Object.keys(columns)
  const values = names.map((name) => (name === 'unique_reference' ? `r.unique_reference || '-' || s.n` : `r.${name}`))
  await services.db.transaction(async () => {
    await services.db.run(
      `INSERT INTO readers (${names.join(', ')})
       WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :count)
       SELECT ${values.join(', ')} FROM readers r CROSS JOIN s WHERE r.id = :id`,
      { id, count },
    )
    await readersChanged(services.db, Number(columns.publication_id))
  })
}

/** The stored row; undefined when there is none. */
export async function readerRow(services: Running, id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await services.db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, { id })
  return row
}
