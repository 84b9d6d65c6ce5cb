import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { quoted } from '../kernel/text-format.ts'
import { type MailingLayout, standardLayout, standardName } from './layout.rules.ts'
import { MailingLayouts } from './mailing-layouts.rows.ts'

export interface StoredLayout {
  /** Null: the standard layout, which is not stored in a table. */
  id: number | null
  name: string
  /** Whether every publication of the publisher can use it, or only this one. */
  isShared: boolean
  layout: MailingLayout
  updatedAt: Date | null
}

const standard: StoredLayout = {
  id: null,
  name: standardName,
  isShared: true,
  layout: standardLayout,
  updatedAt: null,
}

/** The layouts a publication may use: its own and those of its publisher, by name, the standard one first. */
export async function layoutsOf(
  ctx: Pick<AppContext, 'db'>,
  { id, publisherId }: { id: number; publisherId: number },
): Promise<StoredLayout[]> {
  const rows = await MailingLayouts.rows(
    ctx,
    `SELECT ${MailingLayouts.columns()} FROM mailing_layouts
     WHERE publisher_id = :publisherId AND (publication_id IS NULL OR publication_id = :id) ORDER BY name_key`,
    { id, publisherId },
  )
  return [
    standard,
    ...rows.map(({ id, name, publicationId, layout, updatedAt }) => ({
      id,
      name,
      isShared: publicationId === null,
      layout,
      updatedAt,
    })),
  ]
}

/** One layout by its name, ignoring case; blank is the standard one. */
export async function layoutNamed(
  ctx: Pick<AppContext, 'db'>,
  publication: { id: number; publisherId: number },
  name: string,
): Promise<StoredLayout> {
  const key = name.trim().toLowerCase()
  if (key === '' || key === standardName.toLowerCase()) return standard
  const layouts = await layoutsOf(ctx, publication)
  const match = layouts.find((layout) => layout.name.toLowerCase() === key)
  if (!match)
    throw notFound(
      `The mailing layout ${quoted(name.trim())}`,
      `Available layouts: ${layouts.map((layout) => layout.name).join(', ')}.`,
    )
  return match
}
