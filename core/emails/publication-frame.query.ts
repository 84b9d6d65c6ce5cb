import type { AppContext } from '../context.ts'
import { imageFilesOf } from '../images/image.rules.ts'
import { notFound } from '../kernel/errors.ts'
import { type MailFrame, publisherAddressOf } from './mail-frame.rules.ts'

/** The frame of an email in a publication's name: its logo, its colour, its publisher and the contact details. */
export async function publicationFrame(ctx: AppContext, publicationId: number): Promise<MailFrame> {
  const [row] = await ctx.db.query<Record<string, string | null>>(
    `SELECT p.publication_name, p.url_key, p.color, p.logo_image, p.email_address, a.company_name, a.telephone,
            a.email_address AS account_email, a.address_one, a.address_two, a.address_three, a.address_four, a.post_zip
     FROM publications p LEFT JOIN accounts a ON a.user_id = p.publisher_id WHERE p.id = :publicationId`,
    { publicationId },
  )
  if (!row) throw notFound('The publication')
  const text = (name: string) => row[name] ?? ''
  const logo = imageFilesOf(row.logo_image ?? null, 'logo')
  return {
    publicationName: text('publication_name'),
    publisherName: text('company_name') || text('publication_name'),
    publisherAddress: publisherAddressOf(text),
    contactEmail: text('email_address') || text('account_email'),
    telephone: text('telephone'),
    logoUrl: logo ? `${ctx.settings.appUrl}${logo.src}` : '',
    storefrontUrl: `${ctx.settings.appUrl}/${text('url_key')}`,
    color: /^#[0-9a-f]{6}$/i.test(text('color')) ? text('color') : '#1F2933',
  }
}
