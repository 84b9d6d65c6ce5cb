import type { AppLoadContext } from '@remix-run/node'
import { can } from '#core/access/permissions.ts'
import { landingPage, userTypeNames } from '#core/access/user-types.ts'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { planNotice } from '#core/plans/get-plan.query.ts'
import { menus, ownLinks } from './menu.ts'
import { requireScreen, type StaffContext } from './require-screen.ts'
import { screenAccess } from './screens.ts'
import { staffOf } from './session.ts'

/** The data of the frame of every screen behind the log-in, and the landing page as `home`. */
export async function staffFrame(ctx: StaffContext) {
  const { actor, session } = ctx
  return {
    person: `staff ${actor.userId}`,
    menu: menus[actor.userType],
    name: session.name || actor.email,
    companyName: session.companyName,
    avatarFile: session.avatarFile,
    role: userTypeNames[actor.userType],
    links: ownLinks(actor.userType),
    home: landingPage(actor.userType),
    maySearch: screenAccess('search', actor.userType).isAllowed,
    plan: can(actor, 'plan:notice') ? await planNotice(ctx, {}) : null,
    figures: can(actor, 'dashboard:read') ? await topBarFigures(ctx, {}) : null,
  }
}

export type StaffFrame = Awaited<ReturnType<typeof staffFrame>>

/** The frame for a 404 if a user is logged in to the back office. */
export async function frameIfStaff(request: Request, context: AppLoadContext): Promise<StaffFrame | null> {
  return (await staffOf(request, context)) ? staffFrame(await requireScreen(request, context, 'shell')) : null
}
