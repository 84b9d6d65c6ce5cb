import X from 'lucide-react/icons/x'
import { Dialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import type { PlanNotice } from '#core/plans/get-plan.query.ts'
import type { MenuGroup } from '../../http/menu.ts'
import { PlanBanner } from '../account/plan-banner.tsx'
import { IconButton } from '../ui/button.tsx'
import { useRestoreFocus } from '../ui/focus.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { SideMenu } from './side-menu.tsx'
import { TopBar, type TopBarProps } from './top-bar.tsx'

interface FrameProps extends Omit<TopBarProps, 'onOpenMenu'> {
  menu: MenuGroup[]
  /** The banner about the publisher's plan, on every screen. */
  plan: PlanNotice | null
  children: ReactNode
}

/**
 * The frame of every screen behind the log-in: side menu (a drawer on small screens), top bar, content. A page with `data-wide` uses the
 * full width.
 */
export function BackOfficeFrame({ menu, plan, children, ...bar }: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  const { remember, restoreFocus } = useRestoreFocus()
  return (
    <div className="min-h-dvh lg:pl-60 print:min-h-0 print:pl-0">
      <SkipLink />
      <div className="no-print fixed inset-y-0 left-0 z-30 hidden w-60 lg:block">
        <SideMenu menu={menu} />
      </div>
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-nav/50 lg:hidden" />
          <Dialog.Content
            aria-describedby={undefined}
            onOpenAutoFocus={remember}
            onCloseAutoFocus={restoreFocus}
            className="fixed inset-y-0 left-0 z-50 w-60 max-w-[80vw] animate-slide lg:hidden"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <SideMenu menu={menu} onNavigate={() => setOpen(false)} />
            <span className="on-dark absolute top-3 right-2 text-white [&_button]:text-white [&_button]:hover:bg-nav-current">
              <IconButton
                label="Close the menu"
                icon={<X size={20} aria-hidden="true" />}
                onClick={() => setOpen(false)}
              />
            </span>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <TopBar {...bar} onOpenMenu={() => setOpen(true)} />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto max-w-[1440px] p-4 pb-32 outline-none has-[[data-wide]]:max-w-none lg:p-6 lg:pb-32 print:p-0"
      >
        <FailureBanner />
        {plan && (
          <div className="no-print mb-5">
            <PlanBanner notice={plan} />
          </div>
        )}
        {children}
      </main>
    </div>
  )
}

/** A screen's heading, with its action buttons at the end. */
export function PageHeader({ title, note, actions }: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-h2 wrap-break-word">{title}</h1>
        {note && <p className="mt-0.5 text-body text-ink-2">{note}</p>}
      </div>
      {actions && <div className="no-print flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}
