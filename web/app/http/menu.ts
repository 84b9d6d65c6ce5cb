import type { UserType } from '#core/access/user-types.ts'

/** The pictures a menu entry can have; the shell knows how each looks. */
export type MenuIcon = 'analytics' | 'ledger' | 'publishers' | 'readers'

export interface MenuGroup {
  label: string | null
  entries: { to: string; label: string; icon: MenuIcon }[]
}

const readersEntry = { to: '/readers', label: 'Readers', icon: 'readers' } as const

const forPublisher: MenuGroup[] = [
  {
    label: 'Overview',
    entries: [
      { to: '/dashboard', label: 'Analytics', icon: 'analytics' },
      { to: '/payments', label: 'Sales Ledger', icon: 'ledger' },
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
