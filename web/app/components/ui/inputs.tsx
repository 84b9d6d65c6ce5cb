import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentPropsWithoutRef, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'

const inputClass =
  'w-full rounded-input border border-control bg-surface text-input text-ink hover:border-ink-2 aria-invalid:border-danger aria-invalid:border-2 disabled:bg-subtle disabled:text-muted [&[readonly]]:bg-subtle'

/** A single-line text input. Text longer than `maxLength` is kept, with a message that says by how much: browsers would truncate it silently. */
export function Input({
  className = '',
  type = 'text',
  maxLength,
  onInput,
  ...props
}: ComponentPropsWithoutRef<'input'>) {
  const length = useLength(props, maxLength)
  return (
    <>
      <input
        {...props}
        {...length.aria}
        type={type}
        onInput={(event) => {
          length.count(event.currentTarget.value)
          onInput?.(event)
        }}
        className={`${inputClass} h-10 px-3 max-md:h-11 ${className}`}
      />
      {length.note}
    </>
  )
}

/** A textarea; with a limit it shows a character count. */
export function Textarea({ className = '', maxLength, onInput, ...props }: ComponentPropsWithoutRef<'textarea'>) {
  const t = useT()
  const length = useLength(props, maxLength)
  return (
    <>
      <textarea
        rows={4}
        {...props}
        {...length.aria}
        onInput={(event) => {
          length.count(event.currentTarget.value)
          onInput?.(event)
        }}
        className={`${inputClass} px-3 py-2 ${className}`}
      />
      {length.note}
      {maxLength !== undefined && !length.note && (
        <p className="numeric text-caption text-muted">
          {t('{used} of {max} characters', { used: length.used, max: maxLength })}
        </p>
      )}
    </>
  )
}

interface MeasuredProps {
  id?: string | undefined
  value?: string | number | readonly string[] | undefined
  defaultValue?: string | number | readonly string[] | undefined
  'aria-describedby'?: string | undefined
}

/** A character count, which warns when it exceeds the limit. */
function useLength({ id, value, defaultValue, 'aria-describedby': describedBy }: MeasuredProps, maxLength = Infinity) {
  const t = useT()
  const [typedLength, setTypedLength] = useState(String(value ?? defaultValue ?? '').length)
  const used = value === undefined ? typedLength : String(value).length
  if (used <= maxLength) return { used, count, aria: {}, note: null }
  const noteId = `${id ?? 'input'}-length`
  return {
    used,
    count,
    aria: {
      'aria-invalid': true as const,
      'aria-describedby': [describedBy, noteId].filter(Boolean).join(' '),
    },
    note: (
      <p id={noteId} role="status" className="numeric mt-1.5 text-table font-medium text-danger">
        {t('{over} over the limit of {max} characters', { over: used - maxLength, max: maxLength })}
      </p>
    ),
  }

  function count(text: string): void {
    setTypedLength(text.length)
  }
}

/** A native select: for up to about fifteen choices. */
export function Select({ className = '', ...props }: ComponentPropsWithoutRef<'select'>) {
  return <select {...props} className={`${inputClass} h-10 px-2 max-md:h-11 ${className}`} />
}

interface ChoiceProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type'> {
  label: ReactNode
}

function Choice({ type, label, className = '', ...props }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  return (
    <label className={`flex min-h-6 items-start gap-2.5 text-body ${className}`}>
      <input {...props} type={type} className="mt-0.5 size-4.5 shrink-0 accent-primary" />
      <span>{label}</span>
    </label>
  )
}

export function Checkbox(props: ChoiceProps) {
  return <Choice {...props} type="checkbox" />
}

export function Radio(props: ChoiceProps) {
  return <Choice {...props} type="radio" />
}

/** A password input with a show button and a caps lock warning. Pasting is allowed. */
export function Password({ id, className = '', ...props }: Omit<ComponentPropsWithoutRef<'input'>, 'type'>) {
  const t = useT()
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      <div className="relative">
        <Input
          {...props}
          id={id}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onKeyDown={updateCapsLock}
          onKeyUp={updateCapsLock}
          onBlur={() => setCapsLock(false)}
          className={`pr-24 ${className}`}
        />
        <button
          type="button"
          onClick={() => setShown(!isShown)}
          aria-pressed={isShown}
          aria-controls={id}
          aria-label={isShown ? t('Hide the password') : t('Show the password')}
          className="scripted absolute inset-y-1 right-1 inline-flex items-center gap-1.5 rounded-input px-2.5 text-table font-medium text-primary hover:bg-subtle"
        >
          {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          {isShown ? t('Hide') : t('Show')}
        </button>
      </div>
      <p role="status" className="text-table text-warning empty:hidden">
        {hasCapsLock ? t('Caps lock is on') : ''}
      </p>
    </>
  )
}

/** An amount: a text input with a currency sign, never a number input, whose value the mouse wheel can change. */
export function MoneyInput({
  symbol,
  className = '',
  ...props
}: Omit<ComponentPropsWithoutRef<'input'>, 'type'> & { symbol: string }) {
  return (
    <div className="relative max-w-40">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-input text-muted"
      >
        {symbol}
      </span>
      <Input {...props} inputMode="decimal" autoComplete="off" className={`numeric pl-8 ${className}`} />
    </div>
  )
}

/** A day in any usual format: 1/2/2026, 01-02-2026. The format is in the field's hint. */
export function DateBox(props: Omit<ComponentPropsWithoutRef<'input'>, 'type'>) {
  return (
    <Input {...props} inputMode="numeric" autoComplete="off" placeholder="DD/MM/YYYY" className="numeric max-w-40" />
  )
}
