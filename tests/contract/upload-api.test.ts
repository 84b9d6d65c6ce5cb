import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiFixture, callApi, openApiFixture, serveApi } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

const send = (path: string, body: unknown, service: Pick<ApiFixture, 'url'> = fixture) =>
  callApi(service, 'POST', path, { token: fixture.tokens.publisher, body })

function form(text: string, fields: Record<string, string> = {}, name = 'readers.csv'): FormData {
  const body = new FormData()
  for (const [field, value] of Object.entries({ publicationID: String(fixture.mine.publicationId), ...fields }))
    body.set(field, value)
  body.set('file', new File([text], name))
  return body
}

async function references(): Promise<string[]> {
  const rows = await fixture.services.db.query<{ unique_reference: string }>(
    `SELECT unique_reference FROM readers WHERE publication_id = :id AND origin = 'file' ORDER BY unique_reference`,
    { id: fixture.mine.publicationId },
  )
  return rows.map(({ unique_reference }) => unique_reference)
}

describe('an upload by a program', () => {
  it('adds rows from JSON and reports the rejected ones', async () => {
    const rows = [
      { UniqueReference: 'A1', LastName: 'Lee, "Ann"', SubPaid: 10.5, PubOffers: false, Email: null },
      { UniqueReference: 'A2', Email: 'nobody' },
      { UniqueReference: 'A3', LastName: '=cmd|x' },
    ]
    const response = await send('/subscriber/uploadadditional', {
      publicationID: fixture.mine.publicationId,
      csvdata: rows,
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      processed: 3,
      added: 2,
      failed: 1,
      rejected: [{ line: 3, column: 'Email', value: 'nobody', reason: 'is not an email address' }],
    })
    const stored = await fixture.services.db.query(
      `SELECT last_name, sub_paid, pub_offers FROM readers WHERE unique_reference IN ('A1', 'A3') ORDER BY unique_reference`,
    )
    expect(stored).toMatchObject([{ last_name: 'Lee, "Ann"', sub_paid: 1050, pub_offers: 0 }, { last_name: '=cmd|x' }])
  })

  it('limits the fields in front of the file and the number of column names', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'x']))
    expect((await send('/subscriber/uploadadditional', form('LastName\nLee\n', many))).status).toBe(400)
    const csvdata = Array.from({ length: 501 }, (_, index) => ({ [`Column ${index}`]: 'x' }))
    const rows = await send('/subscriber/uploadadditional', { publicationID: fixture.mine.publicationId, csvdata })
    expect(rows.status).toBe(422)
    expect(await rows.json()).toEqual({
      csvdata: { message: 'The rows have 501 different names: at most 500 can be read' },
    })
  })

  it('adds, combines and replaces from a file, with target and mode in the address or in the form', async () => {
    const added = await send('/subscriber/uploadadditional', form('UniqueReference,LastName\nB1,Bell\n'))
    expect(await added.json()).toMatchObject({ added: 1, failed: 0 })
    const preview = await send(
      '/subscriber/uploadreplace?mode=combine',
      form('UniqueReference,LastName\nB1,Ball\n', { dryRun: 'true' }),
    )
    expect(await preview.json()).toMatchObject({ import: null, updated: 1 })
    const combined = await send(
      '/subscriber/uploadreplace?mode=combine',
      form('UniqueReference,LastName\nB1,Ball\nB2,Bun\n'),
    )
    expect(await combined.json()).toMatchObject({ added: 1, updated: 1, removed: 0 })
    const replaced = await send(
      '/subscriber/uploadreplace?target=imported',
      form('UniqueReference,LastName\nB2,Bun\nB3,Bo\n', { mode: 'replace' }),
    )
    expect(await replaced.json()).toMatchObject({ processed: 2, added: 1, unchanged: 1, removed: 3, failed: 0 })
    expect(await references()).toEqual(['B2', 'B3'])
  })

  it('lists imports, and has the worker undo one', async () => {
    const imported = (await (
      await send('/subscriber/uploadadditional', form('UniqueReference,LastName\nC1,Cole\n'))
    ).json()) as { import: number }
    const get = (path: string) => callApi(fixture, 'GET', path, { token: fixture.tokens.publisher })
    const list = (await (await get(`/subscriber/imports/${fixture.mine.publicationId}`)).json()) as { rows: object[] }
    expect(list.rows[0]).toMatchObject({ _id: imported.import, state: 'done', mode: 'add', added: 1, canUndo: true })
    expect(await (await send(`/subscriber/undoimport/${imported.import}`, undefined)).json()).toEqual({
      _id: imported.import,
      state: 'undoing',
    })
    await expect
      .poll(async () => (await get(`/subscriber/import/${imported.import}`)).json())
      .toMatchObject({ state: 'undone', canUndo: false })
    expect(await references()).not.toContain('C1')
  })

  it('is cancelled by another call, which reports what was imported and how to undo it', async () => {
    const imported = (await (
      await send('/subscriber/uploadadditional', form('UniqueReference,LastName\nD1,Dean\nD2,Dale\n'))
    ).json()) as { import: number }
    await fixture.services.db.run(
      `UPDATE tasks SET state = 'interrupted' WHERE kind = 'import-readers' AND subject_id = :id`,
      { id: imported.import },
    )
    const cancelled = await send(`/subscriber/stopimport/${imported.import}`, undefined)
    expect(await cancelled.json()).toEqual({
      state: 'cancelled',
      processed: 2,
      added: 2,
      updated: 0,
      removed: 0,
      undo: `/subscriber/undoimport/${imported.import}`,
    })
    expect((await send(`/subscriber/stopimport/${imported.import}`, undefined)).status).toBe(409)
  })

  it.each([
    ['no rows at all', {}, { csvdata: { message: 'Required' } }],
    ['an empty list', { csvdata: [] }, { csvdata: { message: 'Send at least one row' } }],
    ['text for rows', { csvdata: 'x' }, { csvdata: { message: 'Send the rows as a list of objects' } }],
    [
      'a row in a row',
      { csvdata: [{ Email: { at: 1 } }] },
      { csvdata: { message: 'Row 1: "Email" must be text, a number, true or false' } },
    ],
  ])('of %s is a 422 for the field', async (_, body, fields) => {
    const response = await send('/subscriber/uploadadditional', { publicationID: fixture.mine.publicationId, ...body })
    expect([response.status, await response.json()]).toEqual([422, fields])
  })

  it('that is not a reader file is refused with the reason; a truncated form and a body of another type are a 400', async () => {
    const wrongColumns = await send('/subscriber/uploadadditional', form('Colour\nred\n'))
    expect([wrongColumns.status, await wrongColumns.json()]).toEqual([
      422,
      { file: { message: expect.stringContaining('unknown column "Colour"') } },
    ])
    const spreadsheet = await send('/subscriber/uploadadditional', form('x', {}, 'readers.xlsx'))
    expect([spreadsheet.status, await spreadsheet.json()]).toEqual([422, { file: { message: 'Invalid file type' } }])
    const asText = await callApi(fixture, 'POST', '/subscriber/uploadadditional', {
      token: fixture.tokens.publisher,
      body: 'LastName\nLee\n',
      headers: { 'content-type': 'text/csv' },
    })
    expect([asText.status, await asText.json()]).toEqual([400, { message: expect.stringContaining('is not JSON') }])
    const truncated = await callApi(fixture, 'POST', '/subscriber/uploadadditional', {
      token: fixture.tokens.publisher,
      body: '--X\r\nContent-Disposition: form-data; name="publicationID"\r\n\r\n1',
      headers: { 'content-type': 'multipart/form-data; boundary=X' },
    })
    expect(truncated.status).toBe(400)
  })

  it('over the limit is a 413, however much of the body is still to be sent', async () => {
    const settings = { ...fixture.services.settings, uploadMaxBytes: 1000 }
    const url = await serveApi({ ...fixture.services, settings })
    const large = await send('/subscriber/uploadadditional', form(`Email\n${'a@example.org\n'.repeat(100_000)}`), {
      url,
    })
    expect([large.status, await large.json()]).toEqual([
      413,
      { message: expect.stringContaining('larger than 1000 bytes') },
    ])
  })

  it('of postcodes is read by the worker', async () => {
    const sent = await send('/subscriber/uploadpostcodes', form('PostCode\nSW1A 1AA\nnonsense\n'))
    expect(await sent.json()).toMatchObject({ state: 'waiting' })
    const currentState = async () =>
      (
        await callApi(fixture, 'GET', `/subscriber/postcodes/${fixture.mine.publicationId}`, {
          token: fixture.tokens.publisher,
        })
      ).json()
    await expect.poll(currentState).toMatchObject({
      live: { state: 'done', codes: 1, failed: 1, rejected: [{ line: 3, value: 'nonsense' }] },
    })
  })
})
