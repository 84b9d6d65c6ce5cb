import { emailKey, postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import { normaliseReference } from './unique-reference.rules.ts'

/** Full names often begin with one of these, which people leave out when they search. */
const honorifics = [
  '',
  'mr ',
  'mrs ',
  'miss ',
  'ms ',
  'mx ',
  'dr ',
  'prof ',
  'professor ',
  'sir ',
  'lady ',
  'lord ',
  'dame ',
  'rev ',
  'revd ',
]

/** The searchable fields, each with its indexed key and how typed text is normalised to such a key. */
const fields = {
  lastName: { column: 'key_surname', key: textKey },
  email: { column: 'key_email', key: emailKey },
  companyName: { column: 'key_company', key: textKey },
  fullName: { column: 'key_name', key: textKey },
  postZip: { column: 'key_post_code', key: postCodeKey },
} as const

/** A search: all fields must match, and `q` any one of them. */
export interface ReadersQuery extends Partial<Record<keyof typeof fields, string | undefined>> {
  q?: string | undefined
  uniqueReference?: string | undefined
}

/** The values of a condition, by name. */
type FilterValues = Record<string, string | number | boolean>

/** The condition of a search as SQL. */
export interface ReaderFilter {
  publication: string
  /** All conditions must hold; a condition holds if any of its alternatives does. */
  conditions: { column: string | null; alternatives: string[] }[]
  values: FilterValues
}

/** The condition of a search; null if no reader can match, because a text leaves no key to compare (a surname of dots). */
export function readerFilter(publicationId: number, input: ReadersQuery): ReaderFilter | null {
  const conditions: ReaderFilter['conditions'] = []
  const values: FilterValues = { publicationId }
  // Keys are compared by bytes on both engines, so a prefix search is an index range.
  const startsWith = (column: string, key: string): string => {
    const name = `v${Object.keys(values).length}`
    Object.assign(values, { [name]: key, [`${name}End`]: `${key}\u{10FFFF}` })
    return `${column} >= :${name} AND ${column} < :${name}End`
  }
  // The indexes leave out blank keys: unless each alternative says so too, they are not used.
  const startsWithKey = (column: string, key: string) =>
    (column === 'key_name' ? namePrefixes(key) : [key]).map(
      (start) => `${column} <> '' AND ${startsWith(column, start)}`,
    )
  // References are stored as they were entered; most are in capitals.
  const startsWithReference = (text: string) =>
    [...new Set([text, normaliseReference(text), normaliseReference(text).toUpperCase()])].map((start) =>
      startsWith('unique_reference', start),
    )

  for (const [field, { column, key }] of Object.entries(fields)) {
    const text = input[field as keyof typeof fields]
    if (!text) continue
    if (key(text) === '') return null
    conditions.push({ column, alternatives: startsWithKey(column, key(text)) })
  }
  if (input.uniqueReference) {
    conditions.push({ column: 'unique_reference', alternatives: startsWithReference(input.uniqueReference) })
  }
  if (input.q) {
    const { q } = input
    const matches = Object.values(fields).flatMap(({ column, key }) =>
      key(q) === '' ? [] : startsWithKey(column, key(q)),
    )
    conditions.push({ column: null, alternatives: [...matches, ...startsWithReference(q)] })
  }
  return { publication: 'publication_id = :publicationId', conditions, values }
}

/** A name with and without each honorific before it; none starts with another one, so that no reader is counted twice. */
function namePrefixes(key: string): string[] {
  const starts = honorifics.map((honorific) => honorific + key)
  return starts.filter((start) => !starts.some((other) => other !== start && start.startsWith(other)))
}

export function whereOf({ publication, conditions }: ReaderFilter): string {
  const all = conditions.map(
    ({ alternatives }) => `(${alternatives.map((alternative) => `(${alternative})`).join(' OR ')})`,
  )
  return [publication, ...all].join(' AND ')
}

/** The index ranges of a search by one field, else null. They are disjoint, so each can be scanned separately. */
export function rangesOf({
  conditions: [first, ...others],
}: ReaderFilter): { column: string; ranges: string[] } | null {
  return first?.column && others.length === 0 ? { column: first.column, ranges: first.alternatives } : null
}
