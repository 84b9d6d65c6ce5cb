import type { AuditRow } from '#core/audit/audit-rows.ts'
import type { StaffContext } from './require-screen.ts'
import { type ScreenName, screenAccess } from './screens.ts'

const places: Record<string, { screen: ScreenName; path: string }> = {
  user: { screen: 'editUser', path: '/edituser' },
  order: { screen: 'orderDetails', path: '/orderDetails' },
  reader: { screen: 'reader', path: '/editreader' },
  publication: { screen: 'searchReaders', path: '/searchreaders' },
}

/** The screen of an audit row's subject, if there is one and the viewer may open it. The user's own record is My Account. */
export function subjectLink({ actor }: Pick<StaffContext, 'actor'>, { type, id }: AuditRow['subject']): string | null {
  if (id === null) return null
  if (type === 'account' || (type === 'user' && id === actor.userId)) return '/account'
  // An administrator manages the staff of the publisher, not the publisher.
  if (type === 'user' && id === actor.publisherId) return null
  const place = places[type]
  return place && screenAccess(place.screen, actor.userType).isAllowed ? `${place.path}/${id}` : null
}
