import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { columnName } from '#core/kernel/column-name.ts'
import type { Table } from '#core/table.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

const root = join(import.meta.dirname, '../../..')
const modules = import.meta.glob('/core/**/*.rows.ts', { eager: true }) as Record<string, Record<string, unknown>>
const sources = Object.keys(import.meta.glob('/{core,web,worker,cli}/**/*.{ts,tsx}')).filter(
  (path) => !/\.test\.tsx?$/.test(path),
)

type AnyTable = Table<Record<string, never>>
const isTable = (value: unknown): value is AnyTable =>
  typeof value === 'object' && value !== null && 'table' in value && 'definition' in value

const defined = Object.entries(modules).flatMap(([file, exports]) =>
  Object.values(exports)
    .filter(isTable)
    .map((table) => ({ file, table })),
)

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

interface SchemaColumn {
  type: string
  isNullable: boolean
  hasDefault: boolean
}

async function schemaOf(table: string): Promise<Record<string, SchemaColumn>> {
  const rows =
    services.db.dialect === 'postgres'
      ? await services.db.query<{ name: string; type: string; required: boolean; given: boolean }>(
          `SELECT column_name AS name, data_type AS type, is_nullable = 'NO' AS required,
                  column_default IS NOT NULL OR is_identity = 'YES' AS given
           FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = :table`,
          { table },
        )
      : await services.db.query<{ name: string; type: string; required: number; given: number }>(
          `SELECT name, type, "notnull" OR pk AS required, dflt_value IS NOT NULL OR (name = 'id' AND pk AND type = 'INTEGER') AS given FROM pragma_table_info(:table)`,
          { table },
        )
  return Object.fromEntries(
    rows.map(({ name, type, required, given }) => [
      name,
      { type: type.toLowerCase(), isNullable: !required, hasDefault: Boolean(given) },
    ]),
  )
}

const kinds: Record<string, RegExp> = {
  ref: /^(integer|bigint)$/,
  integer: /^(integer|bigint)$/,
  real: /^(real|double precision)$/,
  text: /^(varchar\(\d+\)|char\(\d+\)|text|character varying|character)$/,
  flag: /^boolean$/,
  day: /^date$/,
  instant: /^(datetime|timestamp with time zone)$/,
  json: /^(json|jsonb)$/,
}

it.each(defined)('$table.table is defined as it is in the database', async ({ table }) => {
  const schema = await schemaOf(table.table)
  const columns = Object.entries(table.definition as Record<string, SchemaColumn & { isOptional: boolean }>)
  expect(columns.map(([name]) => columnName(name)).sort()).toEqual(Object.keys(schema).sort())
  for (const [name, { type, isNullable, isOptional }] of columns) {
    const column = schema[columnName(name)]
    expect(column?.type, `type of ${name}`).toMatch(kinds[type] ?? /^$/)
    expect(isNullable, `${name} may be NULL`).toBe(column?.isNullable)
    expect(isOptional, `${name} may be left out`).toBe(column?.isNullable || column?.hasDefault)
  }
})

const owners = Object.fromEntries(defined.map(({ file, table }) => [table.table, file]))

/** Files that may also write: bulk data is written by statements built for the run. */
const bulkWriters: Record<string, RegExp> = {
  'demo data': /^\/core\/seed\//,
  'reader files': /^\/core\/imports\/(load\/|clear-old-backups\.ts$)/,
  'files of good postcodes': /^\/core\/platform\/database\/postcode-load\.ts$/,
}

/** Files whose statements name their table only at run time, and why. */
const namedAtRunTime: Record<string, RegExp> = {
  'the single rows of every table': /^\/core\/table\.ts$/,
  'what belongs to a reader goes with it in a merge': /^\/core\/duplicates\/(merge-group|undo-merge)\.ts$/,
  'an example title goes with all that was tried on it': /^\/core\/first-run\/remove-example\.ts$/,
  'the copy of a title on which its renewals are simulated': /^\/core\/platform\/title-copy\.ts$/,
}

/** Tables without a definition, and the file that writes their single rows: backups are a copy of `readers` that imports make and read in bulk. */
const undefinedTables: Record<string, string> = {
  reader_backups: '/core/readers/reader-backups.rows.ts',
}
const ownerOf = (table: string) => owners[table] ?? undefinedTables[table]

/** The tables that a source file writes to, by the statements in its texts; `${` if the text does not show it. */
function writtenTables(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')
  const statements = text.matchAll(
    /\b(?:INSERT (?:OR [A-Z]+ )?INTO|(?<!DO |FOR )UPDATE|DELETE FROM)\s+(\$\{|temp\.[a-z_]+|[a-z_]+\b)/g,
  )
  return [...new Set([...statements].map(([, table]) => table as string))].filter((table) => !table.startsWith('temp.'))
}

it('every table is written only in its own .rows file', () => {
  const isOneOf = (named: Record<string, RegExp>, path: string) => Object.values(named).some((file) => file.test(path))
  const violations = sources
    .filter((path) => !path.includes('/migrations/') && !isOneOf(bulkWriters, path))
    .flatMap((path) => writtenTables(path).map((table) => ({ path, table })))
    .filter(({ path, table }) => (table === '${' ? !isOneOf(namedAtRunTime, path) : ownerOf(table) !== path))
    .map(({ path, table }) => `${path} ${table}`)
  expect(violations).toEqual([])
})

it('every table of the database has an owner', async () => {
  const sql =
    services.db.dialect === 'postgres'
      ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`
      : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  const tables = (await services.db.query<{ name: string }>(sql)).map(({ name }) => name)
  // The list of migrations is the migrator's own.
  expect(tables.filter((table) => table !== 'migrations' && !ownerOf(table))).toEqual([])
})

it('single rows are inserted, updated and removed only in the area of the table', () => {
  const areaOf = (path: string) => path.split('/')[2]
  const areas = Object.fromEntries(
    Object.entries(modules).flatMap(([file, exports]) =>
      Object.entries(exports).flatMap(([name, value]) => (isTable(value) ? [[name, areaOf(file)]] : [])),
    ),
  )
  const call = /\b([A-Z]\w+)\.(?:insert|insertNew|update|remove)\(/g
  const violations = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(call)]
      .filter(([, name = '']) => areas[name] && (areas[name] !== areaOf(path) || path.endsWith('.query.ts')))
      .map(([text]) => `${path}: ${text}`),
  )
  expect(violations).toEqual([])
})

it('each table is defined once', () => {
  expect(Object.keys(owners)).toHaveLength(defined.length)
})
