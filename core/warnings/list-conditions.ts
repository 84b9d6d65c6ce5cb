import type { Database } from '../database.ts'
import type { Warning } from './warnings.rules.ts'

/** Not deactivated, written so that both engines can use the indexes that contain `is_deleted`. */
export function activeOnly({ dialect }: Pick<Database, 'dialect'>): string {
  return `is_deleted = ${dialect === 'sqlite' ? '0' : 'false'}`
}

/** The WHERE condition of a warning on `readers`, without the publication filter; bind `publicationId` and the values of `listDays`. */
export function warningCondition(db: Pick<Database, 'dialect'>, { where }: Pick<Warning, 'where'>): string {
  return `${where} AND ${activeOnly(db)}`
}
