import type { UserType } from '#core/access/user-types.ts'

/** The pictures a menu entry can have; the shell knows how each looks. */
export type MenuIcon = 'analytics' | 'ledger' | 'publishers' | 'readers'

export interface MenuGroup {
  label: string | null
  /** `also`: the beginnings of other addresses that belong to the entry. */
  entries: { to: string; label: string; icon: MenuIcon; also?: string[] }[]
}

const readersEntry: MenuGroup['entries'][number] = {
  to: '/readers',
  label: 'Readers',
  icon: 'readers',
  also: ['/searchreaders', '/editreader'],
}

const forPublisher: MenuGroup[] = [
  {
    label: 'Overview',
    entries: [
      { to: '/dashboard', label: 'Analytics', icon: 'analytics' },
      { to: '/payments', label: 'Sales Ledger', icon: 'ledger', also: ['/orderDetails'] },
    ],
  },
  { label: 'Readers', entries: [readersEntry] },
]
const forSeller: MenuGroup[] = [
  { label: null, entries: [{ to: '/publishers', label: 'Publishers', icon: 'publishers' }] },
]
const forReaderStaff: MenuGroup[] = [{ label: null, entries: [readersEntry] }]

/** The side menu of each role (spec 2, section 2). Logging out stands under it for everyone. */
export const menus: Record<UserType, MenuGroup[]> = {
  superuser: forSeller,
  reseller: forSeller,
  publisher: forPublisher,
  pubadmin: forPublisher,
  admin: forReaderStaff,
  mailer: forReaderStaff,
}
