import { actingPublisherId } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { quoted } from '../kernel/counted.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { type PublicationRow, Publications } from './publications.rows.ts'

/**
 * The authorisation guard of publications: one that the actor may act on, by id or by handle. Somebody else's, a removed and an unknown one are all
 * `notFound`. The command line and the worker act on any.
 */
export async function ownPublication(
  ctx: AppContext,
  which: { id: number } | { urlKey: string },
): Promise<PublicationRow> {
  const found = await Publications.find(ctx, {
    ...('id' in which ? { id: which.id } : { urlKeyLower: which.urlKey.toLowerCase() }),
    removedAt: null,
    ...tenantOf(ctx),
  })
  if (!found) throw notFound(`The publication${'urlKey' in which ? ` ${quoted(which.urlKey)}` : ''}`)
  return found
}

/** The condition that narrows `publications` to the acting publisher; nothing for the machine itself, nobody for the rest. */
export function tenantOf({ actor }: Pick<AppContext, 'actor'>): { publisherId?: number } {
  if (actor.kind === 'operator' || actor.kind === 'system') return {}
  return { publisherId: actingPublisherId(actor) ?? -1 }
}

/** The publisher whose books they are: the machine itself acts for all, and has none. */
export function onePublisher(ctx: Pick<AppContext, 'actor'>): number {
  const { publisherId } = tenantOf(ctx)
  if (publisherId === undefined) throw conflict('Say whose ledger it is', { hint: 'Name the publisher by its email.' })
  return publisherId
}

/** Refuses what would make an example count: orders, balances. `why` goes on after its name. */
export function refuseExample(
  { isExample, publicationName }: Pick<PublicationRow, 'isExample' | 'publicationName'>,
  why: string,
): void {
  if (isExample) throw conflict(`${quoted(publicationName)} is an example title and ${why}`)
}
