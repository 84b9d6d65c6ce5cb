import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import type { TaskKindName } from '#core/tasks/task-kinds.ts'
import type { TestServices } from '../test-services.ts'

/** Where a case runs. */
export interface CaseTarget {
  ctx: AppContext
  publicationId: number
  /** The folder for the case's files. */
  folder: string
}

interface EntryPoint {
  start(target: CaseTarget): Promise<unknown>
  /** The minimum number of transactions and savepoints that a run commits: it is killed before one of these commits. */
  commits: number
}

/**
 * A kind of long work with all that a test needs to kill it midway: used by core/tasks/tasks-killed.test.ts and tests/faults. A child
 * process imports these files as well, so they must not import Vitest.
 */
export interface TaskCase {
  kind: TaskKindName
  /** Creates the subject of the work. */
  prepare(services: TestServices, target: CaseTarget): Promise<unknown>
  /** By the worker: `start` requests it, and the job does it. */
  worker?: { start(target: CaseTarget, services: TestServices): Promise<unknown>; commits: number }
  /** By the command line: `start` does it in its own process. */
  inline?: EntryPoint
  /** Numbers that show whether the work was completed exactly once. */
  facts(target: CaseTarget): Promise<Record<string, number>>
  expected: Record<string, number>
  /** The next request, which must not be refused. */
  next(target: CaseTarget): Promise<unknown>
}

/** How many readers exist before an import that combines or replaces. */
export const readersBefore = 8_000

/** The id of the newest row that a table has for the case's publication. */
export async function newest({ ctx, publicationId }: CaseTarget, table: string, extraCondition = ''): Promise<number> {
  const sql = `SELECT max(id) AS id FROM ${table} WHERE publication_id = :id ${extraCondition}`
  const { id } = await numbers(ctx, sql, publicationId)
  return id ?? 0
}

/** The columns of a single row. */
export async function numbers({ db }: AppContext, sql: string, id = 0): Promise<Record<string, number>> {
  const [row = {}] = await db.query<Record<string, unknown>>(sql, { id })
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))
}

/** A file of readers whose references are numbers from `from`, in a city that identifies the file. */
export function readersFile({ folder, publicationId }: CaseTarget, city: string, from: number, count: number): string {
  const path = join(folder, `${city}-${publicationId}.csv`)
  const lines = Array.from({ length: count }, (_, n) => `K${from + n},Reader ${from + n},${city}`)
  writeFileSync(path, `UniqueReference,FullName,City\n${lines.join('\n')}\n`)
  return path
}

export function readerFacts({ ctx, publicationId }: CaseTarget): Promise<Record<string, number>> {
  return numbers(
    ctx,
    `SELECT count(*) AS readers, count(DISTINCT unique_reference) AS different, MAX(version) AS newest,
       SUM(CASE WHEN city = 'new' THEN 1 ELSE 0 END) AS as_in_file
     FROM readers WHERE publication_id = :id`,
    publicationId,
  )
}
