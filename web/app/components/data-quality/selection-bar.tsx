import type { ReactNode } from 'react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/inputs.tsx'
import { KeyboardShortcuts } from '../ui/keyboard-shortcuts.tsx'
import type { RowSelection } from './use-work-list.ts'

interface SelectionBarProps {
  noun: string
  /** The keys of the items on the page that can be ticked. */
  keys: readonly string[]
  /** The number of items on all pages; null where they cannot be selected together. */
  total: number | null
  selection: RowSelection
  /** A text that lists the keyboard shortcuts. */
  keyboard: string
  /** Actions for the ticked items. */
  children: ReactNode
}

/** Selects all items on the page, then on all pages, and offers the actions for the selected items. */
export function SelectionBar({ noun, keys, total, selection, keyboard, children }: SelectionBarProps) {
  const count = selection.includesAllPages ? (total ?? 0) : selection.selectedKeys.length
  const isPageSelected =
    keys.length > 0 && (selection.includesAllPages || selection.selectedKeys.length === keys.length)
  return (
    <section
      aria-label="Selection"
      className={`mb-3 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 rounded-card border px-3 py-2 ${count > 0 ? 'sticky top-15 z-30 border-primary bg-primary-soft' : 'border-line bg-surface'}`}
    >
      <Checkbox
        checked={isPageSelected}
        disabled={keys.length === 0}
        onChange={({ currentTarget }) => selection.selectAll(currentTarget.checked)}
        label={
          <span className="text-table">
            {keys.length === 0 ? 'Nothing to select on this page' : `All ${countOf(keys.length, noun)} on this page`}
          </span>
        }
      />
      <p role="status" className="numeric text-table font-semibold">
        {count > 0 && `${countOf(count, noun)} selected`}
      </p>
      {isPageSelected && total !== null && total > keys.length && !selection.includesAllPages && (
        <Button kind="quiet" size="small" onClick={selection.selectAllPages}>
          {`Select all ${formatCount(total)}`}
        </Button>
      )}
      {count > 0 ? (
        <span className="flex flex-wrap items-center gap-2 md:ml-auto">
          {children}
          <Button kind="quiet" size="small" onClick={() => selection.selectAll(false)}>
            Clear
          </Button>
        </span>
      ) : (
        <KeyboardShortcuts keys={keyboard} className="md:ml-auto" />
      )}
    </section>
  )
}
