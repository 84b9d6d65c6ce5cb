import { Link, type LinkProps } from '@remix-run/react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Spinner } from './spinner.tsx'

/** One `primary` per view; `danger` only for the last confirmation. */
type Kind = 'primary' | 'secondary' | 'quiet' | 'danger'
/** `small` is for tables, `large` for storefronts and phones. */
type Size = 'small' | 'medium' | 'large'

const kinds: Record<Kind, string> = {
  primary:
    'border-primary bg-primary text-white hover:border-primary-hover hover:bg-primary-hover active:bg-primary-active',
  secondary: 'border-control bg-surface text-ink hover:bg-subtle active:bg-line',
  quiet: 'border-transparent bg-transparent text-primary hover:bg-subtle active:bg-line',
  danger: 'border-danger bg-danger text-white hover:border-danger-hover hover:bg-danger-hover',
}

const sizes: Record<Size, string> = {
  small: 'min-h-8 px-3 text-table',
  medium: 'min-h-10 px-4 text-body',
  large: 'min-h-12 px-5 text-input',
}

/** The classes of a button, for links with their own behaviour. */
export function buttonClass(kind: Kind = 'secondary', size: Size = 'medium', isWide = false): string {
  return `relative inline-flex items-center justify-center gap-2 rounded-input border py-1 text-center font-medium no-underline transition-colors aria-disabled:opacity-70 ${kinds[kind]} ${sizes[size]} ${isWide ? 'w-full' : ''}`
}

interface Look {
  kind?: Kind
  size?: Size
  isWide?: boolean
  icon?: ReactNode
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>, Look {
  /** Whether the action is in progress: then it keeps its width, shows a spinner and ignores clicks. */
  isPending?: boolean
  /** Disabled. It stays in the tab order so that screen readers reach the reason next to it. */
  isDisabled?: boolean
}

export function Button({
  kind = 'secondary',
  size = 'medium',
  isWide = false,
  isPending = false,
  isDisabled = false,
  icon,
  type = 'button',
  children,
  onClick,
  className = '',
  ...buttonProps
}: ButtonProps) {
  const t = useT()
  const isInert = isPending || isDisabled
  return (
    <button
      {...buttonProps}
      type={type}
      aria-disabled={isInert || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => (isInert ? event.preventDefault() : onClick?.(event))}
      className={`${buttonClass(kind, size, isWide)} ${className}`}
    >
      <span className={`inline-flex items-center gap-2 ${isPending ? 'invisible' : ''}`}>
        {icon}
        {children}
      </span>
      {isPending && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
          <span className="sr-only">{t('Working…')}</span>
        </span>
      )}
    </button>
  )
}

type LinkButtonProps = Omit<LinkProps, 'className'> & Look & { children: ReactNode }

/** A link that looks like a button: links navigate, buttons act. */
export function LinkButton({
  kind = 'secondary',
  size = 'medium',
  isWide = false,
  icon,
  children,
  ...linkProps
}: LinkButtonProps) {
  return (
    <Link {...linkProps} className={buttonClass(kind, size, isWide)}>
      {icon}
      {children}
    </Link>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'isWide'> {
  /** The button's name for screen readers and as a tooltip. */
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, kind = 'quiet', size = 'medium', ...buttonProps }: IconButtonProps) {
  return (
    <Button
      {...buttonProps}
      kind={kind}
      size={size}
      aria-label={label}
      title={label}
      icon={icon}
      className="aspect-square px-0!"
    />
  )
}
