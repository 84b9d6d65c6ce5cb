import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { revokeGrantsOf } from './app-grants.rows.ts'
import { PartnerApps } from './partner-apps.rows.ts'
import { redirectUriProblem } from './redirect-uri.rules.ts'

const maxApps = 20
const maxAddresses = 10

export interface ListedPartnerApp {
  id: number
  name: string
  clientId: string
  redirectUris: string[]
  madeAt: Date
}

/** The apps that readers log in through, of one of the publisher's own publications. */
export const listPartnerApps = useCase({
  permission: 'api-key:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<ListedPartnerApp[]> {
    await ownPublication(ctx, { id: publicationId })
    const rows = await PartnerApps.rows(
      ctx,
      `SELECT ${PartnerApps.columns()} FROM partner_apps WHERE publication_id = :publicationId AND removed_at IS NULL ORDER BY name, id`,
      { publicationId },
    )
    return rows.map(({ id, name, clientId, redirectUris, createdAt }) => ({
      id,
      name,
      clientId,
      redirectUris,
      madeAt: createdAt,
    }))
  },
})

/** Registers an app and the addresses that it may return readers to, one in each line. */
export const addPartnerApp = useCase({
  permission: 'api-key:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    name: z.string('Required').trim().min(1, 'Required').max(60, 'Must be 60 characters or fewer'),
    redirectUris: z.string('Required').trim().min(1, 'Required').max(6000, 'Must be 6000 characters or fewer'),
  }),
  async run(ctx, { publicationId, name, redirectUris }): Promise<{ id: number; clientId: string }> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    const addresses = [...new Set(redirectUris.split(/\s+/))]
    const problem = addresses.map(redirectUriProblem).find((message) => message !== undefined)
    if (problem) throw invalid({ redirectUris: problem })
    if (addresses.length > maxAddresses) throw invalid({ redirectUris: `At most ${maxAddresses} addresses` })
    const existing = await listPartnerApps(ctx, { publicationId })
    if (existing.length >= maxApps) {
      throw conflict(`This publication has ${maxApps} apps, the maximum. Remove one first.`)
    }
    const clientId = `app_${randomBytes(16).toString('base64url')}`
    const madeBy = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
    const id = await PartnerApps.insert(ctx, { publicationId, clientId, name, redirectUris: addresses, madeBy })
    await recordAudit(ctx, 'add-partner-app', { type: 'publication', id: publicationId, publisherId }, { app: id })
    return { id, clientId }
  },
})

/** Removes an app: readers can no longer log in through it, and those logged in are logged out when their current token expires. */
export const removePartnerApp = useCase({
  permission: 'api-key:write',
  input: z.object({ appId: z.coerce.number('Required').int() }),
  async run(ctx, { appId }): Promise<{ changed: boolean }> {
    const app = await PartnerApps.find(ctx, { id: appId })
    if (!app) throw notFound('The app')
    const { id: publicationId, publisherId } = await ownPublication(ctx, { id: app.publicationId })
    const changed = await PartnerApps.update(ctx, { id: appId, removedAt: null }, { removedAt: ctx.now() })
    if (changed === 0) return { changed: false }
    const loggedOut = await revokeGrantsOf(ctx, appId)
    const facts = { app: appId, loggedOut }
    await recordAudit(ctx, 'remove-partner-app', { type: 'publication', id: publicationId, publisherId }, facts)
    return { changed: true }
  },
})
