import type { Database } from '../database.ts'
import type { Warning } from './warnings.rules.ts'

/** Not deactivated, written so that both engines match it with the indexes that separate active readers. */
export function activeOnly({ dialect }: Pick<Database, 'dialect'>): string {
  return `is_deleted = ${dialect === 'sqlite' ? '0' : 'false'}`
}

/** A warning's whole condition on `readers`, except for the publication; with `publicationId` and the values of `listDays`. */
export function warningCondition(db: Pick<Database, 'dialect'>, { where }: Pick<Warning, 'where'>): string {
  return `${where} AND ${activeOnly(db)}`
}
