import { useActionData, useLocation, useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { problemOf } from '#web/app/http/problem.ts'
import { focusHeading } from '../ui/focus.ts'
import { areKeyboardShortcutsOn } from '../ui/keyboard-shortcuts.tsx'

/**
 * Keyboard shortcuts of the page's list: J and K go to the next and previous item from anywhere on the page; in the focused item X ticks it, Enter
 * opens it, M merges it and goes to the next. Before an item has the focus, each of them goes to the first one. An item has `data-item` with its key
 * and is focusable; the element that opens it has `data-open`, the merge button `data-merge`, its checkbox `data-tick`. When the focused item is
 * removed, the item in its place gets the focus, or the list's heading if none is left. `refused` is the item that M could not merge: it says why.
 */
export function useWorkList(box: RefObject<HTMLElement>, keys: readonly string[]) {
  const focused = useRef<{ key: string; index: number } | null>(null)
  const [refused, setRefused] = useState<RefusedItem | null>(null)
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]

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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler reads the items of the moment
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target
      if (event.defaultPrevented || !(target instanceof HTMLElement) || !isShortcut(event, target)) return
      const all = items()
      const item = box.current?.contains(target) ? target.closest<HTMLElement>('[data-item]') : null
      const go = (to: HTMLElement | undefined) => {
        to?.focus({ preventScroll: true })
        to?.scrollIntoView({ block: 'nearest' })
      }
      const press = (what: string) => {
        const button = item?.querySelector<HTMLElement>(`[${what}]`)
        if (!button?.checkVisibility()) return false
        button.click()
        return true
      }
      const key = event.key.toLowerCase()
      // A focused link or button handles Enter itself.
      if (key === 'enter' && target !== item && target !== document.body) return
      if (!['j', 'k', 'x', 'm', 'enter'].includes(key)) return
      event.preventDefault()
      if (!item) {
        const last = all.find(({ dataset }) => dataset.item === focused.current?.key)
        return go(last ?? all[0])
      }
      const index = all.indexOf(item)
      if (key === 'j') go(all[index + 1])
      else if (key === 'k') go(all[Math.max(index - 1, 0)])
      else if (key === 'x') press('data-tick')
      else if (key === 'enter') press('data-open')
      else if (press('data-merge')) go(all[index + 1] ?? all[index - 1])
      else setRefused((before) => ({ key: item.dataset.item ?? '', times: (before?.times ?? 0) + 1 }))
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

/** Whether a key is for the list: not while keys are turned off, not with a modifier, not typed into a field, and not meant for a dialog or a menu. */
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
 * The ticks of a page's items; ticks of removed items are dropped. With another filter nothing is selected: a whole selection would silently
 * become that of the longer or shorter list.
 */
export function useRowSelection(keys: readonly string[], filter: string) {
  const [selectedKeys, setSelectedKeys] = useState<readonly string[]>([])
  const [isWhole, setWhole] = useState(false)
  const [lastFilter, setLastFilter] = useState(filter)
  if (filter !== lastFilter) {
    setLastFilter(filter)
    setSelectedKeys([])
    setWhole(false)
  }
  const here = keys.filter((key) => selectedKeys.includes(key))
  return {
    selectedKeys: here,
    isSelected: (key: string) => isWhole || here.includes(key),
    /** All items of every page are selected. */
    isWhole,
    select(key: string, isOn: boolean) {
      setWhole(false)
      setSelectedKeys(isOn ? [...here, key] : (isWhole ? keys : here).filter((other) => other !== key))
    },
    selectAll: (isOn: boolean) => {
      setWhole(false)
      setSelectedKeys(isOn ? keys : [])
    },
    selectAllPages: () => {
      setSelectedKeys(keys)
      setWhole(true)
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something is sent, and when it has been answered
  useEffect(() => {
    if (state !== 'idle') {
      isSent.current ||= intents.includes(String(formData?.get('intent')))
      return
    }
    if (isSent.current && !isRefused) selectAll(false)
    isSent.current = false
  }, [state, key])
}
