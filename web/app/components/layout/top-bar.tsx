import { Form, Link, useLocation, useMatches } from '@remix-run/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Menu from 'lucide-react/icons/menu'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import { formatMoney, type Money } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { SearchBox } from './search-box.tsx'

interface Crumb {
  label: string
  to?: string
}

/** A route shown in the breadcrumb exports this as `handle`. */
export interface CrumbHandle<Data = unknown> {
  crumbs: (data: Data) => Crumb[]
}

export interface TopBarProps {
  name: string
  companyName: string
  role: string
  avatarFile: string | null
  /** The user's own screens: account, activity. */
  links: readonly { to: string; label: string }[]
  /** Whether the search over all titles is available. */
  maySearch: boolean
  figures: { titles: number; readers: number; orders: Money } | null
  onOpenMenu: () => void
}

/** 56 px high: breadcrumb, the publisher's three key figures, the user menu. */
export function TopBar({ name, companyName, role, avatarFile, links, maySearch, figures, onOpenMenu }: TopBarProps) {
  return (
    <header className="no-print sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-2 sm:px-4 lg:px-6">
      <span className="lg:hidden">
        <IconButton label="Open the menu" icon={<Menu size={20} aria-hidden="true" />} onClick={onOpenMenu} />
      </span>
      <Breadcrumb />
      {maySearch && (
        <div className="shrink-0 md:ml-auto">
          <SearchBox />
        </div>
      )}
      {figures && (
        <dl aria-label="Your figures" className="ml-4 hidden shrink-0 items-center gap-5 text-table xl:flex">
          <Figure label="Titles" to="/publications" value={formatCount(figures.titles)} />
          <Figure label="Readers" to="/readers" value={formatCount(figures.readers)} />
          <Figure label="Orders" to="/payments" value={formatMoney(figures.orders)} />
        </dl>
      )}
      <UserMenu
        name={name}
        companyName={companyName}
        role={role}
        avatarFile={avatarFile}
        links={links}
        isAtEnd={!figures && !maySearch}
        hasFigures={figures !== null}
      />
    </header>
  )
}

function Figure({ label, to, value }: { label: string; to: string; value: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-muted">{label}</dt>
      <dd>
        <Link to={to} className="numeric font-semibold text-ink no-underline hover:text-primary hover:underline">
          {value}
        </Link>
      </dd>
    </div>
  )
}

function Breadcrumb() {
  const crumbs = useMatches().flatMap(({ handle, data }) =>
    data === undefined ? [] : ((handle as CrumbHandle | undefined)?.crumbs?.(data) ?? []),
  )
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 grow text-table md:grow-0">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map(({ label, to }, index) => (
          <li
            key={label}
            // When space is short, the labels of the parent pages are truncated first.
            className={`flex items-center gap-1.5 ${index < crumbs.length - 1 ? 'min-w-8 shrink-[9] max-sm:hidden' : 'min-w-0'}`}
          >
            {index > 0 && (
              <span aria-hidden="true" className="text-muted max-sm:hidden">
                /
              </span>
            )}
            {to ? (
              <Link to={to} className="link truncate">
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

const itemClass = 'block w-full rounded-input px-3 py-2 text-left text-body outline-none data-highlighted:bg-subtle'

function UserMenu({
  name,
  companyName,
  role,
  avatarFile,
  links,
  isAtEnd,
  hasFigures,
}: Pick<TopBarProps, 'name' | 'companyName' | 'role' | 'avatarFile' | 'links'> & {
  isAtEnd: boolean
  hasFigures: boolean
}) {
  const form = useRef<HTMLFormElement>(null)
  const { pathname } = useLocation()
  // Some of these pages are in no side menu, so the current one is marked here.
  const isOnListedPage = links.some(({ to }) => pathname === to)
  return (
    <div className={isAtEnd ? 'ml-auto' : 'shrink-0 md:ml-3'}>
      <Form ref={form} method="post" action="/logout" reloadDocument className="hidden" />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={`flex min-h-10 items-center gap-2 rounded-input px-2 hover:bg-subtle ${isOnListedPage ? 'bg-subtle' : ''}`}
          aria-label={`${name}, ${companyName || role}: your menu`}
        >
          <Avatar file={avatarFile} name={name} />
          {/* At the width where the figures appear there is no room for both the name and the breadcrumb. */}
          <span
            className={`hidden max-w-48 text-left leading-4 sm:block ${hasFigures ? 'xl:hidden min-[90rem]:block' : ''}`}
          >
            <span className="block truncate text-table font-medium">{name}</span>
            <span className="block truncate text-caption text-muted">{companyName || role}</span>
          </span>
          <ChevronDown size={16} aria-hidden="true" className="text-muted" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={4}
            className="z-40 min-w-56 animate-fade rounded-card border border-line bg-surface p-1 shadow-float"
          >
            <DropdownMenu.Label className="px-3 py-2">
              <span className="block text-body font-medium">{name}</span>
              <span className="block text-caption text-muted">{[role, companyName].filter(Boolean).join(', ')}</span>
            </DropdownMenu.Label>
            <DropdownMenu.Separator className="my-1 h-px bg-line" />
            {links.map(({ to, label }) => (
              <DropdownMenu.Item key={to} className={itemClass} asChild>
                <Link
                  to={to}
                  aria-current={pathname === to ? 'page' : undefined}
                  className={`${itemClass} text-ink no-underline aria-[current]:font-semibold`}
                >
                  {label}
                </Link>
              </DropdownMenu.Item>
            ))}
            <DropdownMenu.Item className={itemClass} onSelect={() => form.current?.requestSubmit()}>
              Log out
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  )
}
