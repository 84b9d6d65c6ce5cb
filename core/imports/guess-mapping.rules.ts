import { findCountry } from '../kernel/countries.ts'
import { nearest } from '../kernel/text-format.ts'
import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { type FieldRow, readerFields } from '../readers/reader-fields.rules.ts'
import type { ImportMode } from './import-modes.rules.ts'
import { identifyingColumns, listWith, rejectColumns } from './map-header.rules.ts'

/** For each column of a file, in its order, the reader column it is imported as; empty is not imported. */
export type Mapping = readonly string[]

/** A header without case and punctuation, for comparing names. */
const normalise = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

const rows: readonly FieldRow[] = readerFields
const headerByKey = new Map<string, string>()
for (const { header } of readerColumns) headerByKey.set(normalise(header), header)
for (const { header, headerSynonyms } of rows)
  for (const word of headerSynonyms?.split(', ') ?? [])
    if (!headerByKey.has(normalise(word))) headerByKey.set(normalise(word), header)
const notImported = new Set(rejectColumns.map(normalise))
/** The reader columns a file's column can be imported as. */
export const readerHeaders = readerColumns.map(({ header }) => header)

/** Patterns that identify a column by its values beyond doubt. Names and numbers have none. */
const valuePatterns: readonly { header: string; matches: (value: string) => boolean }[] = [
  { header: 'Email', matches: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value) },
  { header: 'PostCode', matches: (value) => parseUkPostCode(value) !== null },
  { header: 'WebAddress', matches: (value) => /^(https?:\/\/|www\.)\S+$/i.test(value) },
  { header: 'Title', matches: (value) => /^(mr|mrs|miss|ms|mx|dr|prof|rev|sir|lady|lord|dame)\.?$/i.test(value) },
  { header: 'SubType', matches: (value) => /^(print|digital|bundle)$/i.test(value) },
  { header: 'Country', matches: (value) => value.length > 1 && findCountry(value) !== null },
  { header: 'Telephone', matches: (value) => /^\+?[\d ()-]{9,20}$/.test(value) && /^(\+|0)/.test(value) },
]

/** The share of a column's non-blank values that must match a pattern, and the fewest values to judge by. */
const minMatchingShare = 0.85
const minValues = 3

/**
 * Guesses a file's columns: by name, then by other systems' names, then by the nearest name, then by the values. No reader column is assigned twice;
 * columns without a match are not imported.
 */
export function guessMapping(header: readonly string[], samples: readonly (readonly string[])[]): Mapping {
  const mapping = header.map(() => '')
  const names = header.map(normalise)
  const assign = (index: number, to: string | undefined) => {
    if (to && mapping[index] === '' && !mapping.includes(to)) mapping[index] = to
  }
  const named = names.flatMap((name, index) => (name === '' || notImported.has(name) ? [] : [index]))
  for (const index of named)
    assign(
      index,
      readerHeaders.find((header) => normalise(header) === names[index]),
    )
  for (const index of named) assign(index, headerByKey.get(names[index] ?? ''))
  for (const index of named) if (mapping[index] === '') assign(index, nearest(names[index] ?? '', readerHeaders))
  for (const index of named) {
    const values = samples.map((row) => (row[index] ?? '').trim()).filter((value) => value !== '')
    if (values.length < minValues) continue
    assign(
      index,
      valuePatterns.find(({ matches }) => values.filter(matches).length >= values.length * minMatchingShare)?.header,
    )
  }
  return mapping
}

/** Why a mapping cannot be used, by column; empty when it can. `form` is for problems of the mapping as a whole. */
export function mappingProblems(
  header: readonly string[],
  mapping: Mapping,
  mode: ImportMode = 'add',
): Record<string, string> {
  const problems: Record<string, string> = {}
  const assigned = new Map<string, string>()
  header.forEach((name, index) => {
    const to = mapping[index] ?? ''
    if (to === '') return
    const other = assigned.get(to)
    if (!isReaderColumn(to)) problems[columnField(index)] = `"${to}" is not a reader column`
    else if (name.trim() === '') problems[columnField(index)] = 'A column without a name cannot be imported'
    else if (other !== undefined) problems[columnField(index)] = `${to} is already taken by the column "${other}"`
    else assigned.set(to, name)
  })
  const identifying = identifyingColumns(mode)
  if (!identifying.some((to) => assigned.has(to)))
    problems.form = `Choose at least one column as ${listWith('or', identifying)}`
  return problems
}

/** The name of a column's field in a form. */
export function columnField(index: number): string {
  return `column.${index}`
}

function isReaderColumn(name: string): boolean {
  return (readerHeaders as readonly string[]).includes(name)
}
