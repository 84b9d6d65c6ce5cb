import type { AppContext } from '#core/context.ts'

/** A preview whose pictures are asked for at this very address, whatever name the installation is known by outside. */
export function withLocalPictures<Mail extends { html: string }>(
  { settings }: Pick<AppContext, 'settings'>,
  preview: Mail,
): Mail {
  return { ...preview, html: preview.html.replaceAll(`src="${settings.appUrl}/`, 'src="/') }
}
