import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { SubmitButton } from './form.tsx'
import { useFormState } from './form-context.ts'
import { LostNote } from './lost-note.tsx'

interface SaveBarProps {
  /** The label of the button: "Update reader". */
  label: string
  onDiscard: () => void
  /** Hints that appear while typing: here they do not shift the fields. */
  hint?: ReactNode
  /** Further buttons at its end. */
  children?: ReactNode
}

/** The bottom bar of a long form: sticks to the window as soon as something is unsaved. Ctrl+S saves. */
export function SaveBar({ label, onDiscard, hint, children }: SaveBarProps) {
  const { isDirty, isPending } = useFormState()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (!isPending) bar.current?.closest('form')?.requestSubmit()
    }
    window.addEventListener('keydown', save)
    return () => window.removeEventListener('keydown', save)
  }, [isPending])
  useEffect(() => {
    if (!isDirty) return
    // Keeps a focused element from being scrolled behind the bar.
    const { style } = document.documentElement
    style.scrollPaddingBottom = '7rem'
    return () => {
      style.scrollPaddingBottom = ''
    }
  }, [isDirty])
  return (
    <section
      ref={bar}
      aria-label="Save"
      className={`no-print flex flex-wrap items-center gap-3 ${isDirty ? 'sticky bottom-0 z-20 rounded-t-card border border-line bg-surface px-4 py-3 shadow-float' : 'py-1'}`}
    >
      {hint && <div className="max-h-56 w-full overflow-y-auto empty:hidden">{hint}</div>}
      <SubmitButton aria-keyshortcuts="Control+S">{label}</SubmitButton>
      {isDirty && (
        <Button kind="quiet" onClick={onDiscard}>
          Discard changes
        </Button>
      )}
      {children}
      <p role="status" className="text-body text-ink-2">
        {isDirty ? 'Unsaved changes' : ''}
      </p>
      <LostNote />
    </section>
  )
}
