import { expect, it } from 'vitest'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'

it('circulation begins with the readers at the migration, and no earlier', async () => {
  let publication = 0
  const ids: Record<string, number> = {}
  const services = await openMigratedServices('042-circulation-terms', async (db) => {
    publication = await addOldPublication(db)
    const reader = (unique_reference: string, fields: Record<string, string | number | boolean | null>) =>
      addOldRow(db, 'readers', {
        publication_id: publication,
        unique_reference,
        post_code_state: 'ok',
        address_state: 'ok',
        sub_type: 'print',
        sub_start_on: '2020-01-01',
        sub_end_on: '2090-12-31',
        country: 'FR',
        ...fields,
      })
    ids.paid = await reader('paid', { sub_paid: 1200, sub_currency: 'EUR' })
    ids.coming = await reader('coming', { sub_start_on: '2090-01-01', sub_type: 'digital' })
    await reader('over', { sub_end_on: '2021-01-01' })
    await reader('without', { sub_type: '' })
    await reader('deactivated', { is_deleted: true })
  })
  const [publicationRow] = await services.db.query<{ day: string }>(`SELECT circulation_from AS day FROM publications`)
  expect(publicationRow?.day).toMatch(/^20\d\d-\d\d-\d\d$/)
  const day = publicationRow?.day
  const rows = await services.db.query<{ amount: number | string }>(
    `SELECT reader_id, known_on, product, amount, currency, country, active_from, active_until, ended_on FROM circulation_terms ORDER BY reader_id`,
  )
  const common = { known_on: day, country: 'FR', active_until: '2090-12-31', ended_on: null }
  expect(rows).toMatchObject([
    { ...common, reader_id: ids.paid, product: 'print', currency: 'EUR', active_from: day },
    { ...common, reader_id: ids.coming, product: 'digital', amount: null, currency: null, active_from: '2090-01-01' },
  ])
  expect(Number(rows[0]?.amount)).toBe(1200)
})
