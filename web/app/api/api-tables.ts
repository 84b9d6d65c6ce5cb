import type { ApiTable } from './api-call.ts'
import { usersApi } from './users.api.ts'

/** THE API: a call that is not in one of these tables does not exist. */
export const apiTables: readonly ApiTable[] = [usersApi]
