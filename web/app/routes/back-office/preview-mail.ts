import type { ActionFunctionArgs } from '@remix-run/node'
import { previewMail } from '#core/emails/preview-mail.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { readForm } from '#web/app/http/form.ts'
import { withLocalPictures } from '#web/app/http/mail-preview.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Renders an email with the text being typed; 422 if it is invalid, such as too long: the form shows the error. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const values = await readForm(request)
  try {
    return Response.json(withLocalPictures(ctx, await previewMail(ctx, values)))
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    return Response.json({ message: error.message, fields: error.fields }, { status: 422 })
  }
}

export const loader = postOnly
