import type { UserType } from '#core/access/user-types.ts'
import { screenAccess } from './screens.ts'

/** The icons of menu entries, by name. */
export type MenuIcon =
  | 'account'
  | 'analytics'
  | 'backIssues'
  | 'circulation'
  | 'emails'
  | 'publications'
  | 'ledger'
  | 'manageData'
  | 'publishers'
  | 'readers'
  | 'renewals'
  | 'signUps'
  | 'testimonials'
  | 'thirdParty'
  | 'users'

export interface MenuGroup {
  label: string | null
  /** `also`: prefixes of other addresses that belong to the entry. */
  entries: { to: string; label: string; icon: MenuIcon; also?: string[] }[]
}

const readersEntry: MenuGroup['entries'][number] = {
  to: '/readers',
  label: 'Readers',
  icon: 'readers',
  also: ['/searchreaders', '/addreader', '/editreader', '/mailingfile', '/mailinglayouts'],
}

/** The upload pages belong to it: they start and end there. */
const manageDataEntry: MenuGroup['entries'][number] = {
  to: '/managedata',
  label: 'Manage Data',
  icon: 'manageData',
  also: ['/uploadadditional', '/uploadreplacement', '/uploadaddandcombine', '/uploadpostcodes'],
}

const accountEntry: MenuGroup['entries'][number] = { to: '/account', label: 'My Account', icon: 'account' }

const forPublisher: MenuGroup[] = [
  {
    label: 'Overview',
    entries: [
      { to: '/dashboard', label: 'Analytics', icon: 'analytics' },
      { to: '/circulation', label: 'Circulation', icon: 'circulation' },
      { to: '/payments', label: 'Sales Ledger', icon: 'ledger', also: ['/orderDetails', '/neworder', '/invoices'] },
      { to: '/renewals', label: 'Renewals', icon: 'renewals' },
    ],
  },
  {
    label: 'Catalogue',
    entries: [
      {
        to: '/publications',
        label: 'Publications',
        icon: 'publications',
        also: ['/addpublication', '/editpublication', '/promocodes', '/addpromo', '/editpromo'],
      },
      {
        to: '/backIssues',
        label: 'Single & Back Issues',
        icon: 'backIssues',
        also: ['/addbackIssue', '/editBackIssue'],
      },
    ],
  },
  { label: 'Readers', entries: [readersEntry, manageDataEntry] },
  {
    label: 'Setup',
    entries: [
      { to: '/users', label: 'Users', icon: 'users', also: ['/adduser', '/edituser'] },
      {
        to: '/emailtemplates',
        label: 'Email templates',
        icon: 'emails',
        also: ['/purchasereceipt', '/renewalreceipt', '/maillog'],
      },
      { to: '/thirdparty', label: 'Third Party API', icon: 'thirdParty' },
      accountEntry,
    ],
  },
]
const forReseller: MenuGroup[] = [
  {
    label: null,
    entries: [{ to: '/publishers', label: 'Publishers', icon: 'publishers', also: ['/addpublisher'] }],
  },
]
const forSuperuser: MenuGroup[] = [
  ...forReseller,
  {
    label: null,
    entries: [
      { to: '/signups', label: 'Sign-ups', icon: 'signUps' },
      { to: '/testimonials', label: 'Testimonials', icon: 'testimonials' },
    ],
  },
]
const forReaderStaff: MenuGroup[] = [{ label: null, entries: [readersEntry, accountEntry] }]

/** The side menu of each role (spec 2, section 2). Log-out follows for everyone. */
export const menus: Record<UserType, MenuGroup[]> = {
  superuser: forSuperuser,
  reseller: forReseller,
  publisher: forPublisher,
  pubadmin: forPublisher,
  admin: forReaderStaff,
  mailer: forReaderStaff,
}

/** The user's own screens, in the menu of the top bar. */
export function ownLinks(userType: UserType): { to: string; label: string }[] {
  const hasActivity = screenAccess('activity', userType).isAllowed
  const hasUsers = userType === 'superuser' || userType === 'reseller'
  return [
    { to: '/account', label: 'My Account' },
    ...(hasUsers ? [{ to: '/users', label: 'Users' }] : []),
    ...(screenAccess('scriptKeys', userType).isAllowed ? [{ to: '/account/keys', label: 'Keys for scripts' }] : []),
    ...(hasActivity ? [{ to: '/account/activity', label: 'Activity' }] : []),
  ]
}
