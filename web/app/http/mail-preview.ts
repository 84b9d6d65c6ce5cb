import type { AppContext } from '#core/context.ts'
import type { MailPreview } from '#core/emails/preview-mail.ts'

/** A preview whose pictures are asked for at this very address, whatever name the installation is known by outside. */
export function withLocalPictures({ settings }: Pick<AppContext, 'settings'>, preview: MailPreview): MailPreview {
  return { ...preview, html: preview.html.replaceAll(`src="${settings.appUrl}/`, 'src="/') }
}
