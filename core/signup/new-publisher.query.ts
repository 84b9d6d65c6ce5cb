import type { AppContext } from '../context.ts'

/** The publisher that a sign-up created. */
export interface NewPublisher {
  id: number
  email: string
  firstName: string
  lastName: string
  companyName: string
  titlesAllowed: number
  planKey: string
}

export async function newPublisher(ctx: AppContext, userId: number): Promise<NewPublisher> {
  const [publisher] = await ctx.db.query<NewPublisher>(
    `SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", a.company_name AS "companyName",
       a.number_of_publications AS "titlesAllowed", a.plan_key AS "planKey"
     FROM users u JOIN accounts a ON a.user_id = u.id WHERE u.id = :userId`,
    { userId },
  )
  if (!publisher) throw new Error('The publisher of a sign-up no longer exists')
  return publisher
}
