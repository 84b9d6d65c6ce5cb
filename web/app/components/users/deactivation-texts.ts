import { countOf } from '#core/kernel/text-format.ts'
import { renewingText } from '../renewals/renewing-text.ts'

/** The user's data that the question needs. */
export interface DeactivationTarget {
  id: number
  name: string
  userType: string
  /** What a publisher's deactivation affects, if known. */
  dependents?: { staff: number; titles: number; renewing: number } | undefined
}

/** The noun for this type of user on buttons. */
export function kindOf(userType: string): 'publisher' | 'reseller' | 'user' {
  return userType === 'publisher' || userType === 'reseller' ? userType : 'user'
}

/** The effects of deactivating, and what it leaves unchanged. */
export function consequencesOf({ name, userType, dependents }: DeactivationTarget): string {
  if (userType === 'reseller')
    return `${name} is logged out at once and can no longer log in. The reseller’s publishers are not affected. You can reactivate the reseller later.`
  if (userType !== 'publisher')
    return `${name} is logged out at once and can no longer log in. Nothing is deleted, and you can reactivate the user later.`
  const staff = dependents ? countOf(dependents.staff, 'member of staff', 'members of staff') : 'its staff'
  const shops = dependents ? countOf(dependents.titles, 'storefront') : 'its storefronts'
  const renewals = dependents
    ? renewingText(dependents.renewing, 'it is deactivated')
    : 'No automatic renewal is charged meanwhile.'
  return [
    `${name} and ${staff} can no longer log in, and ${shops} close: visitors see that the storefront is closed.`,
    'Titles, readers and orders stay, orders already paid are fulfilled, and you can reactivate the publisher later.',
    ...(renewals ? [renewals] : []),
  ].join(' ')
}
