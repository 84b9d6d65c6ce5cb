import type { ComponentPropsWithoutRef, ReactNode } from 'react'

interface SwitchProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'role'> {
  label: ReactNode
  /** The effect of turning it on. */
  hint?: ReactNode
}

/** A switch; submitted like a checkbox. */
export function Switch({ label, hint, className = '', ...inputProps }: SwitchProps) {
  return (
    <label className={`flex min-h-6 items-start gap-3 text-body ${className}`}>
      <span className="relative mt-px inline-flex h-5 w-9 shrink-0">
        <input
          {...inputProps}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox exposes its own checked state
          role="switch"
          className="peer absolute inset-0 z-10 size-full cursor-pointer appearance-none rounded-full border border-control bg-surface checked:border-primary checked:bg-primary"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0.75 left-0.75 z-20 size-3.5 rounded-full bg-control transition-transform peer-checked:translate-x-4 peer-checked:bg-white"
        />
      </span>
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-table text-muted">{hint}</span>}
      </span>
    </label>
  )
}
