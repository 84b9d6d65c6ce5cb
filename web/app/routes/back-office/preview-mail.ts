import type { ActionFunctionArgs } from '@remix-run/node'
import { previewMail } from '#core/emails/preview-mail.ts'
import { enter } from '#web/app/http/enter.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { withLocalPictures } from '#web/app/http/mail-preview.ts'
import { postOnly } from '#web/app/http/post-only.ts'

/** A mail with the text that is being typed. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'emailTemplates')
  const values = await readForm(request)
  return submit(values, async () => Response.json(withLocalPictures(ctx, await previewMail(ctx, values))))
}

export const loader = postOnly
