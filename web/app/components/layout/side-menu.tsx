import { Form, NavLink } from '@remix-run/react'
import BookUser from 'lucide-react/icons/book-user'
import ChartLine from 'lucide-react/icons/chart-line'
import LogOut from 'lucide-react/icons/log-out'
import ReceiptText from 'lucide-react/icons/receipt-text'
import UsersRound from 'lucide-react/icons/users-round'
import type { MenuGroup, MenuIcon } from '../../http/menu.ts'
import { Brand } from './brand.tsx'

const icons: Record<MenuIcon, typeof LogOut> = {
  analytics: ChartLine,
  ledger: ReceiptText,
  publishers: UsersRound,
  readers: BookUser,
}

const entryLook =
  'flex min-h-10 w-full items-center gap-3 rounded-input border-l-3 px-3 text-body no-underline transition-colors hover:bg-nav-current/60 hover:text-white'

/** The rail: the screens of the signed-in role, logging out last. */
export function SideMenu({ menu, onNavigate }: { menu: MenuGroup[]; onNavigate?: () => void }) {
  return (
    <div className="on-dark flex h-full flex-col bg-nav text-nav-text">
      <div className="px-5 py-4">
        <Brand isOnDark />
      </div>
      <nav aria-label="Main menu" className="grow overflow-y-auto px-3 py-2">
        {menu.map((group) => (
          <div key={group.label ?? 'all'} className="mb-4">
            {group.label && <p className="px-3 pb-1 text-caption font-medium text-nav-muted">{group.label}</p>}
            <ul className="space-y-0.5">
              {group.entries.map(({ to, label, icon }) => {
                const Icon = icons[icon]
                return (
                  <li key={to}>
                    <NavLink
                      to={to}
                      prefetch="intent"
                      onClick={onNavigate}
                      className={({ isActive }) =>
                        `${entryLook} ${isActive ? 'border-white bg-nav-current font-medium text-white' : 'border-transparent'}`
                      }
                    >
                      <Icon size={20} aria-hidden="true" />
                      {label}
                    </NavLink>
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
      </nav>
      <Form method="post" action="/logout" reloadDocument className="border-t border-nav-current px-3 py-3">
        <button type="submit" className={`${entryLook} border-transparent`}>
          <LogOut size={20} aria-hidden="true" />
          Log out
        </button>
      </Form>
    </div>
  )
}
