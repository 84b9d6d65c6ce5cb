import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { Calibration, likelyIndexOf } from '#tests/support/likely-index.ts'
import { likelyPairs, shareCompared } from '#tests/support/likely-reach.ts'
import { type Labelled, labelledReaders, type Scenario, scenarios } from '#tests/support/reader-duplicates.ts'
import { addPublication, onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { type Timed, timed } from './timed-process.ts'

/**
 * Likely duplicates: recall and precision for each kind of error, with seeds that no weight was
 * fitted to; then time, memory and precision of the whole search, run through the command line.
 *   npm run bench -- likely --rows 100000,1000000 --databases sqlite,postgres --sets FOLDER
 *   npm run bench -- likely --persons 0 --rows '' --file CSV
 */
const { values: given } = parseArgs({
  options: {
    persons: { type: 'string', default: '4000' },
    rows: { type: 'string', default: '100000,1000000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    /** Share of the persons who may have duplicates: 1 is a file that was never cleaned. */
    dirty: { type: 'string', default: '1,0.08' },
    /** A folder of labelled data sets made by others: NAME.csv with NAME.truth.csv. */
    sets: { type: 'string', default: '' },
    /** Any reader file: its import and its search are timed, once. */
    file: { type: 'string', default: '' },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'masthead-likely-'))
const common = { ...process.env, SEED: 'none', LOG_LEVEL: 'warn', APP_SECRET: 'bench-'.repeat(8) }
const seeds = [1001, 2002, 3003]
const searches = ['thorough', 'medium', 'quick'] as const

/** Pairs of readers: `expected` counts the true ones, whether found or not. */
interface PairCounts {
  truePositives: number
  falsePositives: number
  expected: number
}
const accuracyOf = ({ truePositives, falsePositives, expected }: PairCounts) => {
  const precision = truePositives / (truePositives + falsePositives)
  const recall = truePositives / expected
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}
const formatShare = (share: number) => share.toFixed(3)

function truePairs(persons: Iterable<number>): number {
  const sizes = new Map<number, number>()
  for (const person of persons) sizes.set(person, (sizes.get(person) ?? 0) + 1)
  return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0)
}

function countPairs(counts: PairCounts, persons: readonly (number | undefined)[]): void {
  persons.forEach((personA, index) => {
    for (const personB of persons.slice(index + 1)) counts[personA === personB ? 'truePositives' : 'falsePositives']++
  })
}

// With --persons 0 only the whole search is measured.
if (Number(given.persons) > 0) reportAccuracy()

function reportAccuracy(): void {
  say('### Accuracy, with unseen seeds and with labelled sets\n')
  say(
    '| readers | true pairs compared | precision | recall | F1 | calibration error | precision of merge all (0.97) | its recall |\n|---|---|---|---|---|---|---|---|',
  )
  for (const scenario of scenarios) {
    reportSet(
      scenario,
      seeds.map((seed) => labelledReaders(scenario, Number(given.persons), seed)),
    )
  }
  for (const name of given.sets ? readdirSync(given.sets) : []) {
    if (name.endsWith('.truth.csv')) reportSet(name.replace('.truth.csv', ''), [labelledSet(given.sets, name)])
  }

  say(
    `\n### Share of the pairs to which a full comparison gives 0.5 or more that are compared\n\n| readers | of 1,500: by the search up to 30,000 | up to 300,000 | above | 5,000 planted among 200,000 | among 400,000 |\n|---|---|---|---|---|---|`,
  )
  for (const scenario of scenarios) {
    const planted = [shareOfPlanted(scenario, 200_000, 'medium'), shareOfPlanted(scenario, 400_000, 'quick')]
    reportCompared(scenario, labelledReaders(scenario, 1200, 1005).slice(0, 1500), planted)
  }
  for (const name of given.sets ? readdirSync(given.sets) : []) {
    if (name.endsWith('.truth.csv'))
      reportCompared(name.replace('.truth.csv', ''), labelledSet(given.sets, name).slice(0, 1500))
  }
}

function reportCompared(name: string, readers: readonly Labelled[], planted: readonly number[] = []): void {
  const index = likelyIndexOf(readers.map(({ source }) => source))
  const pairs = likelyPairs(readers.map(({ source }) => source))
  const shares = searches.map((search) => formatShare(shareCompared(index, pairs, search)))
  const cells = [name, ...shares, ...planted.map(formatShare)]
  say(`| ${[...cells, ...Array(6 - cells.length).fill('')].join(' | ')} |`)
}

/** Among persons of whom 5,000 have a duplicate: the share of the likely pairs of a full comparison that the search of their number compares. */
function shareOfPlanted(scenario: Scenario, persons: number, search: (typeof searches)[number]): number {
  const copies = 5000
  const firstAt = new Map<number, number>()
  const planted: [number, number][] = []
  const readers: Labelled[] = []
  for (const reader of labelledReaders(scenario, persons, 4004)) {
    const first = firstAt.get(reader.person)
    if (first === undefined) firstAt.set(reader.person, readers.length)
    else if (planted.length < copies) planted.push([first, readers.length])
    else continue
    readers.push(reader)
  }
  const index = likelyIndexOf(readers.map(({ source }) => source))
  const likely = planted.filter(([a, b]) => index.score(a, b) >= 0.5)
  return shareCompared(index, likely, search)
}

function reportSet(name: string, files: readonly Labelled[][]): void {
  const listed = { truePositives: 0, falsePositives: 0, expected: 0 }
  const merged = { truePositives: 0, falsePositives: 0, expected: 0 }
  const calibration = new Calibration()
  for (const readers of files) {
    const expected = truePairs(readers.map(({ person }) => person))
    listed.expected += expected
    merged.expected += expected
    const index = likelyIndexOf(readers.map(({ source }) => source))
    for (const { members, confidence } of index.groups()) {
      const persons = members.map((member) => readers[member]?.person)
      countPairs(listed, persons)
      if (Math.min(confidence, index.defaultConfidence(members)) >= 0.97) countPairs(merged, persons)
    }
    calibration.add(readers)
  }
  const errors = calibration.errors()
  const calibrationError = errors.reduce((sum, error) => sum + error, 0) / errors.length
  const list = accuracyOf(listed)
  const merge = accuracyOf(merged)
  say(
    `| ${[name, ...[calibration.truePairs / listed.expected, list.precision, list.recall, list.f1, calibrationError, merge.precision, merge.recall].map(formatShare)].join(' | ')} |`,
  )
}

/** The readers of a file with the product's own columns; a second file has the cluster (person) of each reference. */
function labelledSet(sets: string, truth: string): Labelled[] {
  const rowsOf = (name: string): Record<string, string>[] => {
    const [header = [], ...rows] = parse(readFileSync(join(sets, name)), {
      bom: true,
      relax_column_count: true,
    }) as string[][]
    return rows.map((cells) => Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ''])))
  }
  const clusters = new Map(rowsOf(truth).map(({ UniqueReference, cluster }) => [UniqueReference, cluster]))
  const persons = new Map<string | undefined, number>()
  return rowsOf(truth.replace('.truth', '')).map((row, index) => {
    const cluster = clusters.get(row.UniqueReference)
    const person = persons.get(cluster) ?? persons.size
    persons.set(cluster, person)
    const cell = (name: string) => row[name] ?? ''
    const source = {
      id: index + 1, title: cell('Title'), firstName: cell('FirstName'), lastName: cell('LastName'), fullName: cell('FullName'),
      email: cell('Email'), companyName: cell('CompanyName'), addressOne: cell('Address1'), addressTwo: cell('Address2'),
      addressThree: cell('Address3'), addressFour: cell('Address4'), city: cell('City'), postCode: cell('PostCode'),
      telephone: cell('Telephone'),
    } // biome-ignore format: a table
    return { source, person }
  })
}

/** Writes a file of labelled readers, in parts, and returns the number of true pairs. The reference begins with the number of the person. */
async function writeLabelled(path: string, rows: number, dirty: number): Promise<number> {
  const out = createWriteStream(path)
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  out.write(
    'UniqueReference,Title,FirstName,LastName,FullName,Email,CompanyName,Address1,Address2,Address3,City,PostCode,Telephone,SubType\n',
  )
  let written = 0
  let base = 0
  let expected = 0
  for (let seed = 10_000; written < rows; seed++) {
    const seen = new Set<number>()
    const readers = labelledReaders('mixed', 7000, seed)
      // The remaining persons have no duplicate.
      .filter(({ person }) => person % 100 < dirty * 100 || (!seen.has(person) && seen.add(person)))
      .slice(0, rows - written)
    expected += truePairs(readers.map(({ person }) => person))
    const lines = readers.map(({ source, person }, index) => {
      const cells = [`P${base + person}-${index}`, source.title, source.firstName, source.lastName, source.fullName]
      // An import rejects an email with a space in it.
      cells.push(
        source.email.replaceAll(' ', ''),
        source.companyName,
        source.addressOne,
        source.addressTwo,
        source.addressThree,
      )
      cells.push(source.city, source.postCode, source.telephone, 'print')
      return `${cells.map(cell).join(',')}\n`
    })
    if (!out.write(lines.join(''))) await once(out, 'drain')
    written += readers.length
    base += 100_000
  }
  out.end()
  await once(out, 'finish')
  return expected
}

/** Imports a file that was not made here, and searches it, each by the command line. */
async function timeFile(file: string): Promise<void> {
  const dataDir = join(folder, 'file')
  mkdirSync(dataDir)
  const cli = await openBench({ ...common, DATA_DIR: dataDir, DATABASE_URL: '' })
  const imported = await cli(['import', file, '--lenient', '--rejects', join(folder, 'rejected.csv')])
  const output = join(folder, 'groups.json')
  const run = await cli(['dedupe', '--by', 'likely'], output)
  const { readers, seconds, groups } = JSON.parse(readFileSync(output, 'utf8'))
  say(
    `| file | readers | import, s | its peak MB | search, s | whole command, s | peak MB | groups |\n|---|---|---|---|---|---|---|---|`,
  )
  say(
    `| ${[basename(file), readers.toLocaleString('en-GB'), imported.seconds.toFixed(1), imported.peakMb ?? '?', seconds.toFixed(1), run.seconds.toFixed(1), run.peakMb ?? '?', groups.length.toLocaleString('en-GB')].join(' | ')} |`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

/** An empty database with a publication, and its command line. */
async function openBench(env: NodeJS.ProcessEnv) {
  const services = await makeServices(readEnv(env))
  await migrate(services.db)
  await addPublication(services, 'bench')
  await services.db.close()
  return (args: string[], output?: string): Promise<Timed> =>
    timed(process.execPath, [resolve(given.cli), ...args, '--publication', 'bench', '--json', '--quiet'], {
      env,
      acceptedExitCodes: [3],
      ...(output ? { output } : {}),
    })
}

async function benchOn(database: string, env: NodeJS.ProcessEnv, rows: number, dirty: number): Promise<void> {
  const file = join(folder, `labelled-${rows}.csv`)
  const expected = await writeLabelled(file, rows, dirty)
  const cli = await openBench(env)
  await cli(['import', file, '--rejects', join(folder, `rejected-${database}-${rows}.csv`)])
  const output = join(folder, 'groups.json')
  const run = await cli(['dedupe', '--by', 'likely'], output)
  const found = JSON.parse(readFileSync(output, 'utf8')) as {
    readers: number
    seconds: number
    groups: { confidence: number; readers: { uniqueReference: string }[] }[]
  }
  const listed = { truePositives: 0, falsePositives: 0, expected }
  const merged = { truePositives: 0, falsePositives: 0, expected }
  for (const { confidence, readers } of found.groups) {
    const persons = readers.map(({ uniqueReference }) => Number(/\d+/.exec(uniqueReference)?.[0]))
    countPairs(listed, persons)
    if (confidence >= 0.97) countPairs(merged, persons)
  }
  const list = accuracyOf(listed)
  const merge = accuracyOf(merged)
  say(
    `| ${[database, `${dirty * 100}%`, found.readers.toLocaleString('en-GB'), found.seconds.toFixed(1), run.seconds.toFixed(1), run.cpuSeconds.toFixed(1), run.peakMb ?? '?', found.groups.length.toLocaleString('en-GB'), formatShare(list.precision), formatShare(list.recall), formatShare(list.f1), formatShare(merge.precision)].join(' | ')} |`,
  )
  rmSync(file)
}

try {
  if (given.file) await timeFile(resolve(given.file))
  say('\n### The whole search, through the command line\n')
  say(
    '| database | people with duplicates | readers | search, s | whole command, s | CPU, s | peak MB | groups | precision | recall | F1 | precision of merge all |\n|---|---|---|---|---|---|---|---|---|---|---|---|',
  )
  const sizes = given.rows.split(',').filter(Boolean).map(Number)
  const runs = sizes.flatMap((rows) => given.dirty.split(',').map((dirty) => ({ rows, dirty: Number(dirty) })))
  for (const { rows, dirty } of runs) {
    if (given.databases.includes('sqlite')) {
      const dataDir = join(folder, `sqlite-${rows}-${dirty}`)
      mkdirSync(dataDir)
      await benchOn('SQLite', { ...common, DATA_DIR: dataDir, DATABASE_URL: '' }, rows, dirty)
      rmSync(dataDir, { recursive: true, force: true })
    }
    if (given.databases.includes('postgres'))
      await onPostgres('likely', (url) =>
        benchOn('PostgreSQL', { ...common, DATA_DIR: folder, DATABASE_URL: url }, rows, dirty),
      )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
