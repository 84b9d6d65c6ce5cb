import { Form, Link, useLocation } from '@remix-run/react'
import BookOpen from 'lucide-react/icons/book-open'
import BookUser from 'lucide-react/icons/book-user'
import ChartLine from 'lucide-react/icons/chart-line'
import DatabaseZap from 'lucide-react/icons/database-zap'
import KeyRound from 'lucide-react/icons/key-round'
import Library from 'lucide-react/icons/library'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import Newspaper from 'lucide-react/icons/newspaper'
import Quote from 'lucide-react/icons/quote'
import ReceiptText from 'lucide-react/icons/receipt-text'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Settings from 'lucide-react/icons/settings'
import UserCheck from 'lucide-react/icons/user-check'
import UserCog from 'lucide-react/icons/user-cog'
import UsersRound from 'lucide-react/icons/users-round'
import type { MenuGroup, MenuIcon } from '../../http/menu.ts'
import { Brand } from './brand.tsx'

const icons: Record<MenuIcon, typeof LogOut> = {
  account: Settings,
  analytics: ChartLine,
  backIssues: Library,
  circulation: Newspaper,
  publications: BookOpen,
  ledger: ReceiptText,
  manageData: DatabaseZap,
  publishers: UsersRound,
  readers: BookUser,
  emails: Mail,
  renewals: RefreshCw,
  signUps: UserCheck,
  testimonials: Quote,
  thirdParty: KeyRound,
  users: UserCog,
}

const entryClass =
  'flex min-h-10 w-full items-center gap-3 rounded-input border-l-3 px-3 text-body no-underline transition-colors hover:bg-nav-current/60 hover:text-white'

/** The `aria-current` of an entry: "page" for its own page, "true" for one below it. */
function ariaCurrentOf(pathname: string, { to, also = [] }: MenuGroup['entries'][number]): 'page' | 'true' | undefined {
  const path = pathname.replace(/\/$/, '').toLowerCase()
  if (path === to.toLowerCase()) return 'page'
  const isBelow = [to, ...also].some((start) => `${path}/`.startsWith(`${start.toLowerCase()}/`))
  return isBelow ? 'true' : undefined
}

/** The side menu: the screens of the logged-in role, log-out last. */
export function SideMenu({ menu, onNavigate }: { menu: MenuGroup[]; onNavigate?: () => void }) {
  const { pathname } = useLocation()
  return (
    <div className="on-dark flex h-full flex-col bg-nav text-nav-text">
      <nav aria-label="Main menu" className="grow overflow-y-auto px-3 pb-2">
        <div className="px-2 pt-4 pb-4">
          <Brand isOnDark />
        </div>
        {menu.map((group) => (
          <div key={group.label ?? 'all'} className="mb-4">
            {group.label && <p className="px-3 pb-1 text-caption font-medium text-nav-muted">{group.label}</p>}
            <ul className="space-y-0.5">
              {group.entries.map((entry) => {
                const Icon = icons[entry.icon]
                const ariaCurrent = ariaCurrentOf(pathname, entry)
                return (
                  <li key={entry.to}>
                    {/* Without `prefetch`: Remix reloads the page if it cannot fetch the script, which offline would replace an unsaved form. */}
                    <Link
                      to={entry.to}
                      onClick={onNavigate}
                      aria-current={ariaCurrent}
                      className={`${entryClass} ${ariaCurrent ? 'border-white bg-nav-current font-medium text-white' : 'border-transparent'}`}
                    >
                      <Icon size={20} aria-hidden="true" />
                      {entry.label}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
      </nav>
      <Form method="post" action="/logout" reloadDocument className="border-t border-nav-current px-3 py-3">
        <button type="submit" className={`${entryClass} border-transparent`}>
          <LogOut size={20} aria-hidden="true" />
          Log out
        </button>
      </Form>
    </div>
  )
}
