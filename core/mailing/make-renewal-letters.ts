import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { invalid } from '../kernel/errors.ts'
import { formatMoney } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { mailSort } from '../postcodes/post-code.rules.ts'
import { discounted } from '../pricing/discount.rules.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { referenceInitials } from '../readers/unique-reference.rules.ts'
import {
  donorAddresses,
  type EffortLetter,
  type LetterWithoutAddress,
  letterFacts,
  lettersOf,
  lettersWithoutAddress,
  produceLetters,
} from '../series/effort-letters.ts'
import { letterTexts } from '../series/letter-texts.query.ts'
import { renewalLinkKey } from '../series/renewal-link.ts'
import { effortDay } from '../series/series.rules.ts'
import { useCase } from '../use-case.ts'
import { formattedReaders } from './formatted-readers.query.ts'
import { KeyLine } from './layout.input.ts'
import type { MailingLayout } from './layout.rules.ts'
import { type LineFormatter, lineFormatter } from './layout-line.rules.ts'
import { layoutNamed } from './layout-row.ts'
import type { ReaderHeader } from './mailing-file.rules.ts'
import { writeMailing } from './mailing-writer.ts'

export interface RenewalLetters extends Required<Omit<DownloadFile, 'type'>> {
  on: Day
  /** The layout's name. */
  layout: string
  letters: number
  /** Letters that cannot be made: the giver of the subscription has no address. */
  withoutAddress: { count: number; letters: LetterWithoutAddress[] }
  chunks: AsyncIterable<Buffer>
}

/** The publication, and the day of its letters: today or an earlier one. */
const RenewalLettersInput = z
  .object({
    ...publicationRef,
    on: DayInput,
    /** A layout's name in any case; blank is the standard one. */
    layout: z.string().default(''),
    keyLine: KeyLine.optional(),
    bom: z.boolean().optional(),
    /** Only the letters that are in the file already. */
    asItStands: z.boolean().default(false),
    /** The caller rolls back the transaction, so a future day is allowed. */
    isDryRun: z.boolean().default(false),
  })
  .refine(...hasPublicationRef)

/**
 * The letters of the renewal series in the file of a day, sorted for the post, in the layout of a mailing house, with the key line and the text of
 * each letter after the layout's columns. Each letter is in the file of only one day, and then counts as sent; a repeated call returns the same ones.
 */
export const makeRenewalLetters = useCase({
  permission: 'mailing-file:make',
  input: RenewalLettersInput,
  transaction: 'none',
  async run(ctx, input): Promise<RenewalLetters> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { id: publicationId, publisherId, publicationName, urlKey } = publication
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const on = input.on ?? today
    if (on > today && !input.isDryRun)
      throw invalid({ on: `${formatDay(on)} is in the future: its letters can be made from that day on` })
    const { name, layout: stored } = await layoutNamed(ctx, publication, input.layout)
    const layout = withKeyLine(stored, input.keyLine)
    const { homeCountry, mainCurrency } = await publisherSettings(ctx, publisherId)
    if (!input.asItStands) await produceLetters(ctx, { publicationId, on, today })
    const letters = await lettersOf(ctx, publicationId, on)
    const givers = await donorAddresses(
      ctx,
      publicationId,
      letters.map(({ buyerId }) => buyerId),
    )
    const sorted = letters
      .flatMap(({ id, buyerId, mailSort: readerSort }) => {
        const giver = buyerId === null ? null : givers.get(buyerId)
        if (giver === undefined) return []
        return [{ id, giver, sort: giver ? mailSort(giver.postCode, giver.country || homeCountry) : readerSort }]
      })
      .sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : a.id - b.id))
    const settings = { publicationName, initials: referenceInitials(publicationName), on, homeCountry }
    const formatter = lineFormatter(layout, settings, { shortened: 0, replaced: 0, lost: 0 }, letterColumns)
    const shopUrl = `${ctx.settings.appUrl}/${urlKey}`
    const encoding = layout.encoding
    const written = writeMailing(
      pages(ctx, sorted, { neededColumns: formatter.neededColumns, mainCurrency, publicationId, shopUrl }),
      {
        formatter: withLetters(formatter),
        encoding: encoding !== 'windows-1252' && input.bom === false ? 'utf-8' : encoding,
        files: [{ name: '', zone: null }],
      },
    )
    if (!input.isDryRun && !input.asItStands)
      await recordAudit(
        ctx,
        'make-renewal-letters',
        { type: 'publication', id: publicationId, publisherId },
        { on, layout: name, letters: sorted.length },
      )
    return {
      fileName: downloadName(publicationName, on, '_letters'),
      charset: encoding === 'windows-1252' ? encoding : 'utf-8',
      on,
      layout: name,
      letters: sorted.length,
      withoutAddress: await lettersWithoutAddress(ctx, { publicationId, on, today }),
      rows: () => ({ sent: written.rows(), total: sorted.length }),
      chunks: bytesOf(written.fileChunks),
    }
  },
})

/** A letter's line always has a key line that says which letter it is. */
function withKeyLine(layout: MailingLayout, keyLine = layout.keyLine): MailingLayout {
  const { columns } = layout
  return {
    ...layout,
    columns: columns.some(({ column }) => column === 'KeyLine')
      ? columns
      : [...columns, { column: 'KeyLine', header: 'KeyLine' }],
    keyLine: keyLine.includes('{effort}') ? keyLine : `${keyLine} {effort}`,
  }
}

/** The columns after those of the layout. */
const letterColumns = [
  'Effort',
  'Text',
  'GiftFor',
  'Plan',
  'Price',
  'PromoCode',
  'Link',
  'LinkUntil',
  'Subject',
  'LetterText',
] as const

interface SortedLetter {
  id: number
  /** Null: it goes to the reader. */
  giver: (PostalAddress & { email: string }) | null
  sort: string
}

interface PageOptions {
  neededColumns: readonly ReaderHeader[]
  mainCurrency: Parameters<typeof formattedReaders>[1]['mainCurrency']
  publicationId: number
  shopUrl: string
}

const pageRows = 1000

/** Pages of rows: the zone's digit, the columns that the layout needs, which letter it is, and the letter's own columns. */
async function* pages(
  ctx: AppContext,
  letters: readonly SortedLetter[],
  { neededColumns, mainCurrency, publicationId, shopUrl }: PageOptions,
): AsyncGenerator<string[][]> {
  const textOf = await letterTexts(ctx, { publicationId, shopUrl })
  for (let from = 0; from < letters.length; from += pageRows) {
    const page = letters.slice(from, from + pageRows)
    const facts = await letterFacts(
      ctx,
      page.map(({ id }) => id),
    )
    const columns = neededColumns.map((header) => readerColumns.find((column) => column.header === header) as never)
    const ids = [...new Set([...facts.values()].map(({ readerId }) => readerId))]
    const readers = await formattedReaders(ctx, { ids, columns, mainCurrency })
    yield page.flatMap(({ id, giver, sort }) => {
      const letter = facts.get(id)
      const cells = letter && readers.get(letter.readerId)
      if (!letter || !cells) return []
      const link = `${shopUrl}/extend/${renewalLinkKey(ctx.settings.appSecret, { publicationId, effortId: id })}`
      const addressCells = giver
        ? neededColumns.map((header, index) => giverCell(header, giver) ?? (cells[index] as string))
        : cells
      const { subject, body } = textOf(
        letter,
        giver ? { ...giver, fullName: '' } : { ...letter, fullName: letter.readerName },
      )
      return [
        [
          sort.charAt(0),
          ...addressCells,
          effortCode(letter),
          ...letterCells(letter, giver !== null, link),
          subject,
          body,
        ],
      ]
    })
  }
}

/** A cell of the giver; undefined where the cell is the reader's: the reference, the term. Columns that only a reader has are blank. */
function giverCell(header: ReaderHeader, giver: PostalAddress & { email: string }): string | undefined {
  const cells: Partial<Record<ReaderHeader, string>> = {
    Title: giver.title,
    FirstName: giver.firstName,
    LastName: giver.lastName,
    FullName: '',
    JobTitle: '',
    CompanyName: giver.companyName,
    Address1: giver.addressOne,
    Address2: giver.addressTwo,
    Address3: giver.addressThree,
    Address4: '',
    City: giver.city,
    State: giver.state,
    PostCode: giver.postCode,
    Country: giver.country,
    Email: giver.email,
    Telephone: '',
    Fax: '',
    WebAddress: '',
  }
  return cells[header]
}

/** The code of a letter in a key line: `-30A`. */
const effortCode = ({ dayOffset, variant }: EffortLetter) =>
  `${dayOffset > 0 ? '+' : ''}${dayOffset}${variant.toUpperCase()}`

function letterCells(
  { dayOffset, variant, readerName, product, termMonths, price, currency, code, percent, validUntil }: EffortLetter,
  isGift: boolean,
  link: string,
): string[] {
  const amount = price === null || percent === null ? price : discounted(price, percent).amount
  return [
    effortDay(dayOffset),
    variant.toUpperCase(),
    isGift ? readerName : '',
    product && termMonths ? planName({ product, termMonths, isRecurring: false }) : '',
    amount === null || currency === null ? '' : formatMoney({ amount, currency }),
    code ?? '',
    link,
    formatDay(validUntil),
  ]
}

/** Passes the cells at the end of a row on to its line: the effort's code, then the letter's own columns. */
function withLetters(formatter: LineFormatter): LineFormatter {
  const effortIndex = formatter.neededColumns.length + 1
  return {
    ...formatter,
    line: (row, place) =>
      formatter.line(row, { ...place, effort: row[effortIndex] ?? '', extraCells: row.slice(effortIndex + 1) }),
  }
}

async function* bytesOf(fileChunks: AsyncIterable<{ bytes: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { bytes } of fileChunks) yield bytes
}
