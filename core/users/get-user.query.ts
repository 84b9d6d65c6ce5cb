import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownUser } from './own-user.ts'
import { type UserListItem, type UserListRow, userListColumns, userListItem, userListTables } from './user-list-row.ts'
import { denialReason, type UserAction, userActions } from './user-rights.rules.ts'

export interface UserView extends UserListItem {
  isSelf: boolean
  /** Why each action on this user is not allowed; null if it is. */
  reasons: Record<UserAction, string | null>
  twoStepSince: Date | null
  /**
   * How much depends on a publisher: its titles, whose storefronts close with it; `titlesUsed`, the titles that count against the allowance (not the
   * paused ones); its staff; and the subscriptions that renew automatically. `publishers` is for resellers.
   */
  dependents: { titles: number; titlesUsed: number; staff: number; publishers: number; renewing: number }
}

/** A user the actor manages, with the reason for each action that is not allowed. */
export const getUser = useCase({
  permission: 'user:read',
  input: z.object({ id: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<UserView> {
    const user = await ownUser(ctx, id)
    const [row] = await ctx.db.query<UserListRow & Record<keyof UserView['dependents'], number>>(
      `SELECT ${userListColumns},
              (SELECT COUNT(*) FROM publications t WHERE t.publisher_id = u.id AND t.removed_at IS NULL AND NOT t.is_example) AS titles,
              (SELECT COUNT(*) FROM publications t WHERE t.publisher_id = u.id AND t.removed_at IS NULL AND t.paused_at IS NULL
               AND NOT t.is_example) AS "titlesUsed",
              (SELECT COUNT(*) FROM users s WHERE s.parent_publisher_id = u.id) AS staff,
              (SELECT COUNT(*) FROM users r WHERE r.reseller_id = u.id) AS publishers,
              (SELECT COUNT(*) FROM publications t JOIN payment_agreements g ON g.publication_id = t.id AND g.state = 'active'
               WHERE t.publisher_id = u.id AND t.removed_at IS NULL) AS renewing
       FROM ${userListTables} WHERE u.id = :id`,
      { id: user.id },
    )
    if (!row) throw notFound('The user')
    const reasons = Object.fromEntries(userActions.map((action) => [action, denialReason(ctx.actor, action, user)]))
    return {
      ...userListItem(ctx.actor, row),
      isSelf: ctx.actor.kind === 'staff' && ctx.actor.userId === user.id,
      reasons: reasons as Record<UserAction, string | null>,
      twoStepSince: user.twoStepSince,
      dependents: {
        titles: Number(row.titles),
        titlesUsed: Number(row.titlesUsed),
        staff: Number(row.staff),
        publishers: Number(row.publishers),
        renewing: Number(row.renewing),
      },
    }
  },
})
