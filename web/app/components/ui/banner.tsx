import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'

type Tone = 'info' | 'success' | 'warning' | 'danger'

const tones = {
  info: { classes: 'border-primary/30 bg-primary-soft', icon: 'text-primary', Icon: Info },
  success: { classes: 'border-success/30 bg-success-soft', icon: 'text-success', Icon: CircleCheck },
  warning: { classes: 'border-warning/30 bg-warning-soft', icon: 'text-warning', Icon: TriangleAlert },
  danger: { classes: 'border-danger/30 bg-danger-soft', icon: 'text-danger', Icon: CircleAlert },
} as const

interface BannerProps {
  tone?: Tone
  title?: string
  children?: ReactNode
  action?: ReactNode
  /** Whether it reports a failure that just happened: screen readers announce it. */
  isAlert?: boolean
}

/** A message that stays on the page until its cause is resolved. */
export function Banner({ tone = 'info', title, children, action, isAlert = false }: BannerProps) {
  const { classes, icon, Icon } = tones[tone]
  return (
    <div
      role={isAlert ? 'alert' : undefined}
      className={`flex items-start gap-3 rounded-card border px-4 py-3 text-body ${classes}`}
    >
      <Icon size={18} aria-hidden="true" className={`mt-px shrink-0 ${icon}`} />
      <div className="min-w-0 grow">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action && <div className="shrink-0">{action}</div>}
    </div>
  )
}
