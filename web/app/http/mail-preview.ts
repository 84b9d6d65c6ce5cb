import type { AppContext } from '#core/context.ts'

/** A preview whose images have relative addresses, so that they load regardless of the installation's public host name. */
export function withLocalPictures<Mail extends { html: string }>(
  { settings }: Pick<AppContext, 'settings'>,
  preview: Mail,
): Mail {
  return { ...preview, html: preview.html.replaceAll(`src="${settings.appUrl}/`, 'src="/') }
}
