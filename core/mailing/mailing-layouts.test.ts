import { createHash } from 'node:crypto'
import iconv from 'iconv-lite'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { isAppError } from '#core/kernel/errors.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { removeLayout } from '../transfers/remove-layout.ts'
import { saveLayout } from '../transfers/save-layout.ts'
import { countsCsv } from './counts-sheet.rules.ts'
import { getLayout } from './get-layout.query.ts'
import { listLayouts } from './list-layouts.query.ts'
import { makeMailingFile } from './make-mailing-file.ts'
import { previewLayout } from './preview-layout.query.ts'

let services: TestServices
let publication: PublicationRow
let ctx: AppContext

const layout = {
  columns: [
    { column: 'KeyLine', header: 'Key' },
    { column: 'Addressee', header: 'Name' },
    { column: 'Line1' },
    { column: 'Line2' },
    { column: 'Line3' },
    { column: 'PostCode', header: 'Postcode' },
    { column: 'Country' },
    { column: 'Zone' },
    { column: 'Sequence', header: 'No' },
    { column: 'Copies' },
    { column: 'IssueDate', header: 'Issue' },
    { column: 'Salutation' },
  ],
  delimiter: 'semicolon',
  encoding: 'windows-1252',
  namesColumns: true,
  quotes: 'needed',
  isTownUpper: true,
  keyLine: '{publication}/{reference}/{expiry}/{type}/{zone}',
}

beforeAll(async () => {
  services = await openTestServices()
  ctx = services.as(await actorOf(services, 'publisher'))
  const publisherId = ctx.actor.kind === 'staff' ? ctx.actor.userId : undefined
  publication = await makePublication(services, { publicationName: 'Harbour Light', publisherId })
  const make = (fields: Parameters<typeof makeReader>[2]) => makeReader(services, publication.id, fields)
  const address = { addressOne: '1 Quay', city: 'Fowey', postCode: 'PL23 1AQ' }
  await make({
    ...address,
    uniqueReference: 'A1',
    title: 'Ms',
    firstName: 'Ann',
    lastName: 'Wójcik; Łoś',
    addressTwo: '',
    addressThree: 'Harbour Side',
  })
  await make({
    ...address,
    uniqueReference: 'A2',
    companyName: '=Papers 東京',
    subEndOn: '2100-01-01',
    subType: 'bundle',
  })
  await make({
    uniqueReference: 'A3',
    fullName: 'Ed “E” Day',
    addressOne: '5 Gate',
    city: 'Oslo',
    postCode: '0150',
    country: 'NO',
  })
  await make({
    uniqueReference: 'A4',
    fullName: 'Fi Day',
    addressOne: '6 Way',
    city: 'Perth',
    postCode: '6000',
    country: 'AU',
  })
  await make({ ...address, uniqueReference: 'X1', fullName: 'Digital', subType: 'digital' })
  await make({ ...address, uniqueReference: 'X2', fullName: 'Expired', subEndOn: '2026-01-31' })
})

async function filesOf(
  input: object,
): Promise<{ names: string[]; files: Buffer[]; made: Awaited<ReturnType<typeof makeMailingFile>> }> {
  const made = await makeMailingFile(ctx, { publicationId: publication.id, ...input })
  const pieces = made.files.map((): Buffer[] => [])
  for await (const { file, bytes } of made.fileChunks) pieces[file]?.push(bytes)
  return { made, names: made.files.map(({ name }) => name), files: pieces.map((list) => Buffer.concat(list)) }
}

const errorKindOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isAppError(error) ? error.kind : error
}

describe('a mailing house’s layout', () => {
  it('is refused with an unknown delimiter; the message names those that are accepted', async () => {
    const save = (delimiter: string) =>
      saveLayout(ctx, { publicationId: publication.id, name: 'Bars', layout: { ...layout, delimiter } })
    const fields = { 'layout.delimiter': 'Choose comma, semicolon, tab or bar' }
    await expect(save('pipe')).rejects.toMatchObject({ kind: 'invalid', fields })
    await save('bar')
    await removeLayout(ctx, { publicationId: publication.id, name: 'Bars' })
  })

  it('is stored by its name, changed, used, listed after the standard one, and removed', async () => {
    const title = { publicationId: publication.id }
    await saveLayout(ctx, { ...title, name: 'Acme Mail', layout })
    const saved = await saveLayout(ctx, { ...title, was: 'acme mail', name: 'Acme', isShared: true, layout })
    expect(saved.layout.columns[2]).toEqual({ column: 'Line1', header: 'Line1' })
    expect((await listLayouts(ctx, title)).map(({ name }) => name)).toEqual(['Standard', 'Acme'])
    expect(await getLayout(ctx, { ...title, name: 'ACME' })).toMatchObject({ id: saved.id, layout: saved.layout })
    const { files, made } = await filesOf({ layout: 'acme' })
    expect(iconv.decode(files[0] ?? Buffer.alloc(0), 'win1252')).toBe(
      [
        'Key;Name;Line1;Line2;Line3;Postcode;Country;Zone;No;Copies;Issue;Salutation',
        'HL/A1/12/26/P/UK;"Ms Ann Wójcik; Los";1 Quay;Harbour Side;FOWEY;PL23 1AQ;;United Kingdom;1;1;21/11/2026;"Dear Ms Wójcik; Los"',
        "HL/A2/99/99/B/UK;'=Papers ??;1 Quay;FOWEY;;PL23 1AQ;;United Kingdom;2;1;21/11/2026;Dear Reader",
        'HL/A3/12/26/P/EU;Ed “E” Day;5 Gate;OSLO;;0150;Norway;Europe;3;1;21/11/2026;Dear Ed “E” Day',
        'HL/A4/12/26/P/RW;Fi Day;6 Way;PERTH;;6000;Australia;Rest of the world;4;1;21/11/2026;Dear Fi Day',
        '',
      ].join('\r\n'),
    )
    expect(made.counts()).toMatchObject({ layout: 'Acme', encoding: 'windows-1252', letters: { replaced: 4, lost: 2 } })
    const [stored] = await services.db.query<{ layout: string; counts: unknown }>(
      `SELECT layout, counts FROM mailing_files ORDER BY id DESC LIMIT 1`,
    )
    expect(stored?.layout).toBe('Acme')
    expect(typeof stored?.counts === 'string' ? JSON.parse(stored.counts) : stored?.counts).toEqual(made.counts())
    await removeLayout(ctx, { ...title, name: 'Acme' })
    expect(await errorKindOf(makeMailingFile(ctx, { ...title, layout: 'Acme' }))).toBe('notFound')
  })

  it('splits by zone into files that add up to the whole, and counts that add up to all readers', async () => {
    const whole = await filesOf({ bom: false })
    // The counts report the encoding that was written, not that of the layout.
    const encodingOf = async (bom: boolean) => (await filesOf({ layout: 'standard', bom })).made.counts().encoding
    expect([await encodingOf(false), await encodingOf(true)]).toEqual(['utf-8', 'utf-8-bom'])
    const split = await filesOf({ bom: false, split: true })
    expect(whole.names).toEqual(['Harbour_Light_21112026.csv'])
    expect(split.names).toEqual(['uk', 'europe', 'world'].map((zone) => `Harbour_Light_21112026_${zone}.csv`))
    const [header, ...lines] = String(whole.files[0]).split(/(?<=\n)/)
    const parts = split.files.map((file) => String(file).split(/(?<=\n)/))
    expect(parts.map(([first]) => first)).toEqual([header, header, header])
    expect(parts.flatMap(([, ...rest]) => rest)).toEqual(lines)
    const sheet = split.made.counts()
    expect(sheet.files.map(({ readers, bytes, sha256 }) => ({ readers, bytes, sha256 }))).toEqual(
      split.files.map((file, index) => ({
        readers: (parts[index]?.length ?? 0) - 1,
        bytes: file.length,
        sha256: createHash('sha256').update(file).digest('hex'),
      })),
    )
    expect(sheet).toMatchObject({ readers: 6, included: 4 })
    expect(sheet.excluded.map(({ reason, count }) => [reason, count])).toEqual([
      ['digital', 1],
      ['expired', 1],
    ])
    expect(sheet.zones.map(({ print, bundle, readers }) => [print, bundle, readers])).toEqual([
      [1, 1, 2],
      [1, 0, 1],
      [1, 0, 1],
    ])
    expect(countsCsv(sheet).split('\r\n')).toEqual(
      expect.arrayContaining([
        'What,Of,Count,Bytes,SHA-256',
        'In the file,All zones,4,,',
        'Left out,Expired,1,,',
        'All readers,Harbour Light,6,,',
      ]),
    )
  })

  it('makes a file of some zones, counts the readers in others, and makes an empty file for a zone without readers', async () => {
    const chosen = await filesOf({ zones: 'row, eu' })
    expect(chosen.names).toEqual(['Harbour_Light_21112026_europe_world.csv'])
    const { readers, included, excluded } = chosen.made.counts()
    expect({ readers, included }).toEqual({ readers: 6, included: 2 })
    expect(excluded).toContainEqual({ reason: 'otherZone', label: 'In a zone that was not chosen', count: 2 })
    await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE unique_reference = 'A3'`, { yes: true })
    const split = await filesOf({ split: true, bom: false })
    await services.db.run(`UPDATE readers SET is_deleted = :no WHERE unique_reference = 'A3'`, { no: false })
    expect(split.made.counts().files.map((file) => file.readers)).toEqual([2, 0, 1])
    expect(String(split.files[1])).toMatch(/^UniqueReference,[^\n]*\r\n$/)
    expect(await errorKindOf(makeMailingFile(ctx, { publicationId: publication.id, zones: 'mars' }))).toBe('invalid')
  })

  it('quotes everything, omits the header, truncates to a width and prefers the entry point’s options', async () => {
    await saveLayout(ctx, {
      publicationId: publication.id,
      name: 'Narrow',
      layout: {
        columns: [{ column: 'Addressee' }, { column: 'KeyLine' }],
        quotes: 'all',
        namesColumns: false,
        maxWidth: '10',
        delimiter: 'tab',
      },
    })
    const { files, made } = await filesOf({
      layout: 'Narrow',
      encoding: 'utf-8',
      keyLine: '{reference}',
      zones: ['uk'],
    })
    expect(String(files[0])).toBe(`"Ms Ann"\t"A1"\r\n"'=Papers 東京"\t"A2"\r\n`)
    expect(made.counts().shortened).toBe(1)
  })

  it('replaces letters before it quotes, guards and cuts a cell', async () => {
    const { id: publicationId } = await makePublication(services, { publisherId: publication.publisherId })
    const address = { city: 'Fowey', postCode: 'PL23 1AQ' }
    await makeReader(services, publicationId, {
      ...address,
      fullName: '＝HYPERLINK(1)',
      addressOne: 'Flat 3，18 Quay；Rear',
      companyName: '12″ Vinyl',
    })
    await makeReader(services, publicationId, { ...address, fullName: 'Щукин Щедрин', addressOne: '−1＋1' })
    const columns = [{ column: 'FullName' }, { column: 'Address1' }, { column: 'CompanyName' }, { column: 'City' }]
    const encoding = 'windows-1252'
    const written = async (name: string, options: object) => {
      await saveLayout(ctx, { publicationId, name, layout: { columns, encoding, ...options } })
      const { files, made } = await filesOf({ publicationId, layout: name })
      return { lines: iconv.decode(files[0] ?? Buffer.alloc(0), 'win1252').split('\r\n'), counts: made.counts() }
    }
    const comma = await written('Comma', {})
    expect(comma.lines.slice(1, 3)).toEqual([
      `'=HYPERLINK(1),"Flat 3,18 Quay;Rear","12"" Vinyl",Fowey`,
      `Shchukin Shchedrin,'-1+1,,Fowey`,
    ])
    const semicolon = await written('Semicolon', { delimiter: 'semicolon', quotes: 'all', maxWidth: '10' })
    expect(semicolon.lines.slice(1, 3)).toEqual([
      `"'=HYPERLINK";"Flat 3,18";"12"" Vinyl";"Fowey"`,
      `"Shchukin";"'-1+1";"";"Fowey"`,
    ])
    expect(semicolon.counts).toMatchObject({ shortened: 3, letters: { replaced: 17, lost: 0 } })
    // The entry point's encoding decides, not that of the layout.
    const { files } = await filesOf({ publicationId, layout: 'Comma', encoding: 'utf-8' })
    expect(String(files[0])).toContain('＝HYPERLINK(1),Flat 3，18 Quay；Rear,12″ Vinyl,Fowey')
  })

  it('replaces letters in the header and in the preview as in the file', async () => {
    const columns = [{ column: 'FullName', header: '＝Naam，ł' }]
    const preview = await previewLayout(ctx, {
      publicationId: publication.id,
      layout: { ...layout, columns, delimiter: 'comma' },
    })
    expect(preview.text.split('\r\n')[0]).toBe(`"'=Naam,l"`)
  })

  it('is previewed with some readers before it is saved', async () => {
    const preview = await previewLayout(ctx, { publicationId: publication.id, layout })
    expect(preview.heads.slice(0, 2)).toEqual(['Key', 'Name'])
    expect(preview.rows).toHaveLength(4)
    expect(preview.rows[2]?.[7]).toBe('Europe')
    expect(preview.text).toContain('Los')
  })

  it('reports its errors, each at its field', async () => {
    const save = (changes: object) =>
      saveLayout(ctx, { publicationId: publication.id, name: 'Wrong', layout, ...changes })
    await expect(save({ layout: { columns: [] } })).rejects.toMatchObject({
      fields: { 'layout.columns': 'Choose at least one column' },
    })
    await expect(save({ layout: { ...layout, keyLine: '{nonsense}' } })).rejects.toMatchObject({
      fields: { 'layout.keyLine': expect.stringContaining('{nonsense}') },
    })
    await expect(save({ name: 'standard' })).rejects.toMatchObject({
      fields: { name: expect.stringContaining('built-in') },
    })
    await expect(save({ name: 'narrow' })).rejects.toMatchObject({
      fields: { name: expect.stringContaining('already') },
    })
    await expect(save({ was: 'Standard' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(removeLayout(ctx, { publicationId: publication.id, name: '' })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  it('belongs to its publication or publisher, is used by a mailer and changed only by the publisher', async () => {
    const other = await makePublication(services, { publisherId: publication.publisherId, urlKey: 'other-title' })
    await saveLayout(ctx, { publicationId: publication.id, name: 'Own', layout })
    await saveLayout(ctx, { publicationId: publication.id, name: 'Shared', isShared: true, layout })
    expect((await listLayouts(ctx, { publicationId: other.id })).map(({ name }) => name)).toEqual([
      'Standard',
      'Shared',
    ])
    const mailer = services.as(await actorOf(services, 'mailer', publication.publisherId))
    expect(await getLayout(mailer, { publicationId: publication.id, name: 'Own' })).toMatchObject({ name: 'Own' })
    const stranger = services.as(await actorOf(services, 'publisher'))
    const ownLayout = { publicationId: publication.id, name: 'Own' }
    for (const [staff, kind] of [
      [mailer, 'denied'],
      [stranger, 'notFound'],
    ] as const) {
      expect(await errorKindOf(saveLayout(staff, { ...ownLayout, was: 'Own', layout }))).toBe(kind)
      expect(await errorKindOf(removeLayout(staff, ownLayout))).toBe(kind)
      expect(await errorKindOf(previewLayout(staff, { publicationId: ownLayout.publicationId, layout }))).toBe(kind)
    }
    expect(await errorKindOf(listLayouts(stranger, { publicationId: ownLayout.publicationId }))).toBe('notFound')
  })
})
