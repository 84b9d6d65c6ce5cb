import type { Actor } from '../access/actor.ts'
import type { UserType } from '../access/user-types.ts'

/** The types of users that can be added and changed on the user screens: a publisher's staff (spec 3, section 6). */
export const staffTypes = ['pubadmin', 'admin', 'mailer'] as const satisfies readonly UserType[]

export function isStaffType(userType: string): userType is (typeof staffTypes)[number] {
  return (staffTypes as readonly string[]).includes(userType)
}

/** The fields of a user that decide what may be done to them. */
export interface Target {
  id: number
  userType: UserType
  parentPublisherId: number | null
  resellerId: number | null
}

/** The actions on a user other than viewing. */
export const userActions = ['edit', 'deactivate', 'password', 'email', 'type', 'titles', 'resetTwoStep'] as const
export type UserAction = (typeof userActions)[number]

/**
 * Why an actor may not perform an action on a user it manages; null if it may. Call it after the authorisation guard (`ownUser`), which checks that
 * the actor manages the user.
 */
export function denialReason(actor: Actor, action: UserAction, target: Target): string | null {
  if (actor.kind === 'operator' || actor.kind === 'system') return impossibleReason(action, target)
  if (actor.kind !== 'staff') return 'Please log in'
  const { userType, userId } = actor
  const isSelf = target.id === userId
  const isSuper = userType === 'superuser'
  const mayManagePublisher = isSuper || (userType === 'reseller' && target.resellerId === userId)
  const refusal = isSelf ? null : managementRefusal(target, { isSuper, mayManagePublisher })
  switch (action) {
    case 'edit':
      return refusal
    case 'deactivate':
      if (isSelf) return 'You cannot deactivate yourself'
      if (target.userType === 'publisher' && !mayManagePublisher)
        return 'Only its reseller or a superuser can deactivate a publisher'
      return refusal
    case 'password':
      return isSelf ? 'Change your own password in My Account' : refusal
    case 'email':
      return isSelf ? 'Change your own email in My Account' : refusal
    case 'type':
      if (!isStaffType(target.userType)) return 'The type of this user cannot be changed'
      return isSelf ? 'You cannot change your own type' : refusal
    case 'titles':
      return target.userType === 'publisher' && mayManagePublisher
        ? null
        : 'Only the reseller or a superuser can set the number of titles'
    case 'resetTwoStep':
      if (isSelf) return 'Change your own two-step log-in in My Account'
      if (isSuper || (userType === 'publisher' && target.parentPublisherId === userId)) return null
      return 'Only the publisher, for its staff, or a superuser can turn off two-step log-in'
  }
}

function managementRefusal(
  target: Target,
  { isSuper, mayManagePublisher }: { isSuper: boolean; mayManagePublisher: boolean },
): string | null {
  if (isStaffType(target.userType)) return null
  if (target.userType === 'publisher')
    return mayManagePublisher ? null : 'Only the publisher, its reseller or a superuser can do this'
  return isSuper ? null : 'Only a superuser can do this'
}

function impossibleReason(action: UserAction, target: Target): string | null {
  if (action === 'type' && !isStaffType(target.userType)) return 'The type of this user cannot be changed'
  if (action === 'titles' && target.userType !== 'publisher') return 'Only a publisher has titles'
  return null
}

/** The types an actor may add on the user screens. The machine's operator may add any. */
export function addableTypes(actor: Actor, all: readonly UserType[]): readonly UserType[] {
  return actor.kind === 'operator' || actor.kind === 'system' ? all : staffTypes
}
