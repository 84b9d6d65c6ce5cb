import type { ReactNode } from 'react'

const tones = {
  neutral: 'bg-subtle text-ink-2',
  info: 'bg-primary-soft text-primary',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const

/** A state as a short text, dark on a light tint, so that it does not look like a button. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-full px-2 py-0.5 text-caption font-medium whitespace-nowrap ${tones[tone]}`}>
      {children}
    </span>
  )
}
