import type { Database } from '../database.ts'
import type { Warning } from './warnings.rules.ts'

/** SQL condition: not deactivated, written so that both databases can use the indexes that contain `is_deleted`. */
export function activeOnly({ dialect }: Pick<Database, 'dialect'>): string {
  return `is_deleted = ${dialect === 'sqlite' ? '0' : 'false'}`
}

/** SQL: the condition of a warning on `readers`, without the publication. Parameters: `publicationId` and `listDays`. */
export function warningCondition(db: Pick<Database, 'dialect'>, { where }: Pick<Warning, 'where'>): string {
  return `${where} AND ${activeOnly(db)}`
}
