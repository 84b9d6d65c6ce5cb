import type { AppContext } from '../context.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'

/** Apps in which readers log in with their subscription. They hold no secret: the addresses they return to and PKCE identify them. */
export const PartnerApps = defineTable('partner_apps', {
  id: id(),
  publicationId: ref(),
  clientId: text(),
  name: text(),
  redirectUris: json<string[]>(),
  madeBy: nullable(ref()),
  removedAt: nullable(instant()),
  createdAt: instant(),
})

export type PartnerAppRow = RowOf<typeof PartnerApps>

/** An app whose publication is open, with the handle of its storefront; undefined for any other client id. */
export async function findOpenApp(
  { db }: Pick<AppContext, 'db'>,
  clientId: string,
): Promise<(PartnerAppRow & { urlKey: string }) | undefined> {
  const [row] = await PartnerApps.rows<{ urlKey: string }>(
    { db },
    `SELECT ${PartnerApps.columns('a')}, p.url_key AS "urlKey"
     FROM partner_apps a JOIN publications p ON p.id = a.publication_id JOIN users u ON u.id = p.publisher_id
     WHERE a.client_id = :clientId AND a.removed_at IS NULL AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active`,
    { clientId },
  )
  return row
}
