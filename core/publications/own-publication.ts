import { actingPublisherId } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { quoted } from '../kernel/text-format.ts'
import { type PublicationRow, Publications } from './publications.rows.ts'

/**
 * The authorisation guard of publications: one that the actor may act on, by id or by handle. Another publisher's, a removed and an unknown
 * one are all `notFound`; a removed one is found only where its figures are read. The command line and the worker act on any.
 */
export async function ownPublication(
  ctx: AppContext,
  reference: { id: number } | { urlKey: string },
  { withRemoved = false } = {},
): Promise<PublicationRow> {
  const publication = await Publications.find(ctx, {
    ...('id' in reference ? { id: reference.id } : { urlKeyLower: reference.urlKey.toLowerCase() }),
    ...(withRemoved ? {} : { removedAt: null }),
    ...tenantOf(ctx),
  })
  if (!publication) throw notFound(`The publication${'urlKey' in reference ? ` ${quoted(reference.urlKey)}` : ''}`)
  return publication
}

/** The condition that limits `publications` to the acting publisher: none for operator and system; without a publisher it matches no row. */
export function tenantOf({ actor }: Pick<AppContext, 'actor'>): { publisherId?: number } {
  if (actor.kind === 'operator' || actor.kind === 'system') return {}
  return { publisherId: actingPublisherId(actor) ?? -1 }
}

/** The id of the acting publisher. Throws for operator and system, which act for all publishers: a ledger belongs to one. */
export function requirePublisherId(ctx: Pick<AppContext, 'actor'>): number {
  const { publisherId } = tenantOf(ctx)
  if (publisherId === undefined) throw conflict('No publisher is named', { hint: 'Name it by its email.' })
  return publisherId
}

/** Throws for actions that would make an example title count, such as orders and balances. `why` completes the sentence after its name. */
export function refuseExample(
  { isExample, publicationName }: Pick<PublicationRow, 'isExample' | 'publicationName'>,
  why: string,
): void {
  if (isExample) throw conflict(`${quoted(publicationName)} is an example title and ${why}`)
}
