import { actingPublisherId } from '../access/actor.ts'
import { can } from '../access/permissions.ts'
import type { AppContext } from '../context.ts'
import { denied, notFound } from '../kernel/errors.ts'
import type { Task } from './task.ts'
import { type TaskKindName, taskKindOf } from './task-kinds.ts'
import { selectTasks } from './tasks.rows.ts'

/**
 * The newest task of a kind for this row, for users of its publisher who may start such a task. Throws `denied` without that permission, and
 * `notFound` if there is none, or if it belongs to another publisher or to a removed publication.
 */
export async function ownTask<Cursor>(ctx: AppContext, kind: TaskKindName, subjectId: number): Promise<Task<Cursor>> {
  const { label, permission } = taskKindOf(kind)
  if (!can(ctx.actor, permission)) throw denied()
  const isMachine = ctx.actor.kind === 'operator' || ctx.actor.kind === 'system'
  const [task] = await selectTasks<Cursor>(
    ctx.db,
    `kind = :kind AND subject_id = :subjectId ${isMachine ? '' : 'AND publisher_id = :publisherId'}
     AND NOT EXISTS (SELECT 1 FROM publications p WHERE p.id = tasks.publication_id AND p.removed_at IS NOT NULL)
     ORDER BY id DESC LIMIT 1`,
    { kind, subjectId, ...(isMachine ? {} : { publisherId: actingPublisherId(ctx.actor) ?? -1 }) },
  )
  if (!task) throw notFound(`The ${label}`)
  return task
}
