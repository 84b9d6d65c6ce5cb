import { useActionData, useLocation, useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { problemOf } from '#web/app/http/problem.ts'
import { focusHeading } from '../ui/focus.ts'
import { areKeyboardShortcutsOn } from '../ui/keyboard-shortcuts.tsx'

/**
 * Keyboard shortcuts of the page's list: J and K go to the next and previous item from anywhere on the page; X ticks the focused item, Enter opens
 * it, M merges it and goes to the next. While no item has the focus, each of these keys focuses the last focused item, or the first one. An item has
 * `data-item` with its key and is focusable; the element that opens it has `data-open`, the merge button `data-merge`, its checkbox `data-tick`.
 * When the focused item is removed, the item in its place gets the focus, or the list's heading if the list is empty. `refused` is the item that
 * M could not merge; the item shows the reason.
 */
export function useWorkList(container: RefObject<HTMLElement>, keys: readonly string[]) {
  const focused = useRef<{ key: string; index: number } | null>(null)
  const [refused, setRefused] = useState<RefusedItem | null>(null)
  const items = () => [...(container.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]

  const itemKeys = keys.join('|')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the items change
  useEffect(() => {
    const last = focused.current
    if (!last || document.activeElement !== document.body) return
    const remaining = items()
    const item =
      remaining.find(({ dataset }) => dataset.item === last.key) ??
      remaining[Math.min(last.index, remaining.length - 1)]
    if (item) item.focus({ preventScroll: true })
    else focusHeading('#list-heading')
  }, [itemKeys])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler queries the items at each key press
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target
      if (event.defaultPrevented || !(target instanceof HTMLElement) || !isShortcut(event, target)) return
      const all = items()
      const item = container.current?.contains(target) ? target.closest<HTMLElement>('[data-item]') : null
      const focusItem = (to: HTMLElement | undefined) => {
        to?.focus({ preventScroll: true })
        to?.scrollIntoView({ block: 'nearest' })
      }
      const click = (attribute: string) => {
        const element = item?.querySelector<HTMLElement>(`[${attribute}]`)
        if (!element?.checkVisibility()) return false
        element.click()
        return true
      }
      const key = event.key.toLowerCase()
      // A focused link or button handles Enter itself.
      if (key === 'enter' && target !== item && target !== document.body) return
      if (!['j', 'k', 'x', 'm', 'enter'].includes(key)) return
      event.preventDefault()
      if (!item) {
        const last = all.find(({ dataset }) => dataset.item === focused.current?.key)
        return focusItem(last ?? all[0])
      }
      const index = all.indexOf(item)
      if (key === 'j') focusItem(all[index + 1])
      else if (key === 'k') focusItem(all[Math.max(index - 1, 0)])
      else if (key === 'x') click('data-tick')
      else if (key === 'enter') click('data-open')
      else if (click('data-merge')) focusItem(all[index + 1] ?? all[index - 1])
      else setRefused((previous) => ({ key: item.dataset.item ?? '', times: (previous?.times ?? 0) + 1 }))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return {
    refused,
    onFocus({ target }: { target: EventTarget & Element }) {
      const item = target.closest<HTMLElement>('[data-item]')
      const all = items()
      focused.current = item ? { key: item.dataset.item ?? '', index: all.indexOf(item) } : null
      if (refused && refused.key !== focused.current?.key) setRefused(null)
    },
  }
}

/** An item that M could not merge, and how many times M was pressed: each time the reason is announced again. */
export interface RefusedItem {
  key: string
  times: number
}

/** Whether a key press is meant for the list: shortcuts are turned on, no modifier is pressed, and no field, dialog or menu takes the key. */
function isShortcut(event: KeyboardEvent, target: HTMLElement): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return false
  if (!areKeyboardShortcutsOn() || document.querySelector(overlays)) return false
  const isField =
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type))
  return !isField
}

const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], dialog[open]'

/**
 * The ticks of a page's items; ticks of removed items are dropped. A new filter clears the selection: otherwise a selection of all pages would
 * silently include other items.
 */
export function useRowSelection(keys: readonly string[], filter: string) {
  const [selectedKeys, setSelectedKeys] = useState<readonly string[]>([])
  const [includesAllPages, setIncludesAllPages] = useState(false)
  const [lastFilter, setLastFilter] = useState(filter)
  if (filter !== lastFilter) {
    setLastFilter(filter)
    setSelectedKeys([])
    setIncludesAllPages(false)
  }
  const selectedOnPage = keys.filter((key) => selectedKeys.includes(key))
  return {
    selectedKeys: selectedOnPage,
    isSelected: (key: string) => includesAllPages || selectedOnPage.includes(key),
    /** Whether the items of all pages are selected. */
    includesAllPages,
    select(key: string, isOn: boolean) {
      setIncludesAllPages(false)
      setSelectedKeys(
        isOn ? [...selectedOnPage, key] : (includesAllPages ? keys : selectedOnPage).filter((other) => other !== key),
      )
    },
    selectAll: (isOn: boolean) => {
      setIncludesAllPages(false)
      setSelectedKeys(isOn ? keys : [])
    },
    selectAllPages: () => {
      setSelectedKeys(keys)
      setIncludesAllPages(true)
    },
  }
}

export type RowSelection = ReturnType<typeof useRowSelection>

/** Clears the ticks once a form with one of these intents was accepted; after a refusal they stay. */
export function useClearedTicks({ selectAll }: RowSelection, intents: readonly string[]): void {
  const { state, formData } = useNavigation()
  const { key } = useLocation()
  const isRefused = problemOf(useActionData()) !== undefined
  const isSent = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a form is sent, and when the response has arrived
  useEffect(() => {
    if (state !== 'idle') {
      isSent.current ||= intents.includes(String(formData?.get('intent')))
      return
    }
    if (isSent.current && !isRefused) selectAll(false)
    isSent.current = false
  }, [state, key])
}
