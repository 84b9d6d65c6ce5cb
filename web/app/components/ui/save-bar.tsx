import { type ReactNode, type RefObject, useEffect } from 'react'
import { Button } from './button.tsx'

interface SaveBarProps {
  form: RefObject<HTMLFormElement>
  isDirty: boolean
  isPending: boolean
  /** Of the button: "Update reader". */
  label: string
  onDiscard: () => void
  /** What comes up while one types: here it pushes no field away. */
  hint?: ReactNode
  /** Further buttons at its end. */
  children?: ReactNode
}

/** The foot of a long form: comes up into view as soon as something differs from what is stored. Ctrl+S saves, as everywhere. */
export function SaveBar({ form, isDirty, isPending, label, onDiscard, hint, children }: SaveBarProps) {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (!isPending) form.current?.requestSubmit()
    }
    window.addEventListener('keydown', save)
    return () => window.removeEventListener('keydown', save)
  }, [form, isPending])
  useEffect(() => {
    if (!isDirty) return
    // Whatever takes the focus comes to stand above the bar.
    const { style } = document.documentElement
    style.scrollPaddingBottom = '7rem'
    return () => {
      style.scrollPaddingBottom = ''
    }
  }, [isDirty])
  return (
    <section
      aria-label="Save"
      className={`no-print flex flex-wrap items-center gap-3 ${isDirty ? 'sticky bottom-0 z-20 rounded-t-card border border-line bg-surface px-4 py-3 shadow-float' : 'py-1'}`}
    >
      {hint && <div className="max-h-56 w-full overflow-y-auto empty:hidden">{hint}</div>}
      <Button type="submit" kind="primary" isPending={isPending} aria-keyshortcuts="Control+S">
        {label}
      </Button>
      {isDirty && (
        <Button kind="quiet" onClick={onDiscard}>
          Discard changes
        </Button>
      )}
      {children}
      <p role="status" className="text-body text-ink-2">
        {isDirty ? 'Unsaved changes' : ''}
      </p>
    </section>
  )
}
