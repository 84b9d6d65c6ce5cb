import { unguard } from '../kernel/formula-guard.rules.ts'
import { nearest, shortened } from '../kernel/text-format.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import type { ImportMode } from './import-modes.rules.ts'

/** Columns that a file of rejected rows has in addition to its own; an import skips them, so that the corrected file can be imported as it is. */
export const rejectColumns = ['RejectedLine', 'RejectedColumn', 'RejectedReason'] as const

/** A header without case, spaces and underscores. */
const normalise = (header: string) => header.toLowerCase().replaceAll(/[\s_]/g, '')

const positions = new Map(readerColumns.map(({ header }, index) => [normalise(header), index]))
const ignored = new Set(rejectColumns.map(normalise))

interface HeaderMapping {
  /** For each column of the file, its index in `readerColumns`; -1 for one that is skipped. */
  columns: number[]
  /** What is wrong with the header; empty when it fits. */
  problems: string[]
}

/** A file's own column names with the reader column each one means, or a reader column for each in their order; empty is not imported. */
export type ColumnMapping = Readonly<Record<string, string>> | readonly string[]

/** A header with the names a mapping gives its columns: by their names, or one for each in their order. */
export function renamedHeader(header: readonly string[], mapping: ColumnMapping | undefined): string[] {
  if (mapping === undefined) return [...header]
  if (Array.isArray(mapping)) return header.map((_, index) => String((mapping as readonly string[])[index] ?? ''))
  const names = mapping as Readonly<Record<string, string>>
  return header.map((name) => {
    // In a file of rejected rows the column names have formula guards.
    const key = [name, unguard(name)].find((candidate) => Object.hasOwn(names, candidate))
    return key === undefined ? name : String(names[key])
  })
}

/** The columns of which a file needs at least one. When combining, Masthead's own number of a reader is one of them. */
export function identifyingColumns(mode: ImportMode): string[] {
  const identifying = ['UniqueReference', 'FirstName', 'LastName', 'FullName', 'Email']
  return mode === 'combine' ? ['BuyerId', ...identifying] : identifying
}

/** Maps a file's header to the reader columns; unknown columns are named, each with the nearest known one. */
export function mapHeader(header: readonly string[], mode: ImportMode = 'add'): HeaderMapping {
  const nameByIndex = new Map<number, string>()
  const unknown: string[] = []
  const problems: string[] = []
  const columns = header.map((name) => {
    const key = normalise(name)
    if (key === '' || ignored.has(key)) return -1
    const index = positions.get(key)
    if (index === undefined) {
      unknown.push(name.trim())
      return -1
    }
    if (nameByIndex.has(index)) problems.push(`the column ${readerColumns[index]?.header} occurs twice`)
    nameByIndex.set(index, name)
    return index
  })
  if (unknown.length > 0)
    problems.unshift(`unknown ${unknown.length === 1 ? 'column' : 'columns'} ${listUnknown(unknown)}`)
  const identifying = identifyingColumns(mode)
  if (!identifying.some((name) => nameByIndex.has(positions.get(normalise(name)) ?? -1)))
    problems.push(`missing columns: it needs at least one of ${listWith('and', identifying)}`)
  return { columns, problems }
}

function listUnknown(names: string[]): string {
  const headers = readerColumns.map(({ header }) => header)
  const suggestions = names.slice(0, 10).map((name) => {
    const suggestion = nearest(name.replaceAll(/[\s_]/g, ''), headers)
    return `"${shortened(name, 40)}"${suggestion ? ` (did you mean ${suggestion}?)` : ''}`
  })
  return suggestions.join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '')
}

/** "A, B and C", or with "or". */
export function listWith(conjunction: 'and' | 'or', names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}
