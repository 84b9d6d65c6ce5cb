import type { AppLoadContext } from '@remix-run/node'
import { tryUserAddress } from '#core/bounces/try-address-again.ts'
import type { AppContext } from '#core/context.ts'
import { type AppError, isAppError } from '#core/kernel/errors.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { getUser } from '#core/users/get-user.query.ts'
import { reactivateUser } from '#core/users/reactivate-user.ts'
import { resendInvitation } from '#core/users/resend-invitation.ts'
import { resetTwoStep } from '#core/users/reset-two-step.ts'
import { outdatedForm } from './form.ts'
import { idParam } from './param-id.ts'
import { redirectWithToast } from './toast.ts'

/** The buttons of a user, with the toast of each. */
const actions: Record<
  string,
  { perform: (ctx: AppContext, raw: { id: number }) => Promise<unknown>; message: (name: string) => string }
> = {
  deactivate: { perform: deactivateUser, message: (name) => `${name} has been deactivated` },
  reactivate: { perform: reactivateUser, message: (name) => `${name} is active again` },
  invite: { perform: resendInvitation, message: (name) => `A new invitation is on its way to ${name}` },
  'try-address': { perform: tryUserAddress, message: (name) => `Emails to ${name} are no longer blocked` },
  'reset-two-step': { perform: resetTwoStep, message: (name) => `Two-step log-in is off for ${name}` },
}

/** Refusals shown in a banner above the page; all others are an error page. */
const shownAsToast = new Set<AppError['kind']>(['conflict', 'denied', 'tooMany'])

/** Handles a button of a user and redirects back to the form's page, with a toast. */
export async function runUserAction(
  ctx: AppContext,
  context: AppLoadContext,
  { intent, id }: Record<string, string>,
  backTo: string,
): Promise<Response> {
  const action = Object.hasOwn(actions, intent ?? '') ? actions[intent ?? ''] : undefined
  if (!action) throw outdatedForm()
  const user = await getUser(ctx, { id: idParam(id, 'The user') })
  try {
    await action.perform(ctx, { id: user.id })
  } catch (error) {
    if (!isAppError(error) || !shownAsToast.has(error.kind)) throw error
    return redirectWithToast(context, backTo, { kind: 'error', text: error.message })
  }
  const name = `${user.firstName} ${user.lastName}`.trim() || user.email
  return redirectWithToast(context, backTo, { kind: 'success', text: action.message(name) })
}

/** The page a form was on, with its filters. */
export function ownAddress(request: Request): string {
  const { pathname, searchParams } = new URL(request.url)
  const params = new URLSearchParams(searchParams)
  for (const internal of ['_routes', 'index', 'confirm']) params.delete(internal)
  return pathname.replace(/\.data$/, '') + (params.size > 0 ? `?${params}` : '')
}
