/** The staff user types (spec 3, section 6). Storefront customers are `buyers`, another table and another kind of session. */
export const userTypes = ['superuser', 'reseller', 'publisher', 'pubadmin', 'admin', 'mailer'] as const
export type UserType = (typeof userTypes)[number]

/** The name of a role as shown on cards and in the menu. */
export const userTypeNames: Record<UserType, string> = {
  superuser: 'Superuser',
  reseller: 'Reseller',
  publisher: 'Publisher',
  pubadmin: 'Publication administrator',
  admin: 'Reader administrator',
  mailer: 'Mailing list downloader',
}

/** Where a user lands after logging in, and where a screen they may not see redirects them (spec 1, section 2.1). */
export function landingPage(userType: UserType): '/dashboard' | '/publishers' | '/readers' {
  if (userType === 'publisher' || userType === 'pubadmin') return '/dashboard'
  return userType === 'reseller' || userType === 'superuser' ? '/publishers' : '/readers'
}

/** Where a user logs in: superusers have a separate page, and the ordinary page refuses them. An unknown user goes to the ordinary page. */
export function logInPage(userType: UserType | undefined): '/login' | '/slogin' {
  return userType === 'superuser' ? '/slogin' : '/login'
}
