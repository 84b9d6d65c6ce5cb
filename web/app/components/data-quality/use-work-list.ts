import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Keyboard shortcuts of a list while the focus is in it: J and K go to the next and previous item, X ticks it, Enter opens it, M merges it
 * and goes to the next. An item has `data-item` with its key and is focusable; the element that opens it has `data-open`, the merge button
 * `data-merge`, its tick box `data-tick`. When the focused item is removed, the item in its place gets the focus.
 */
export function useWorkList(box: RefObject<HTMLElement>, keys: readonly string[]) {
  const focused = useRef<{ key: string; index: number } | null>(null)
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
    item?.focus({ preventScroll: true })
  }, [itemKeys])

  return {
    onFocus({ target }: { target: EventTarget & Element }) {
      const item = target.closest<HTMLElement>('[data-item]')
      const all = items()
      focused.current = item ? { key: item.dataset.item ?? '', index: all.indexOf(item) } : null
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || isTypedIn(target)) return
      const all = items()
      const item = target.closest<HTMLElement>('[data-item]')
      const index = item ? all.indexOf(item) : -1
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
      switch (event.key.toLowerCase()) {
        case 'j':
          go(all[index + 1])
          break
        case 'k':
          go(all[Math.max(index - 1, 0)])
          break
        case 'x':
          press('data-tick')
          break
        case 'm':
          if (press('data-merge')) go(all[index + 1] ?? all[index - 1])
          break
        case 'enter':
          // A focused link or button handles Enter itself.
          if (target !== item || !press('data-open')) return
          break
        default:
          return
      }
      event.preventDefault()
    },
  }
}

function isTypedIn(target: HTMLElement): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type))
  )
}

/** The ticks of a page's items; ticks of removed items are dropped. */
export function useTicks(keys: readonly string[]) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [isWhole, setWhole] = useState(false)
  const here = keys.filter((key) => ticked.includes(key))
  return {
    ticked: here,
    isTicked: (key: string) => isWhole || here.includes(key),
    /** All items of every page are selected. */
    isWhole,
    tick(key: string, isOn: boolean) {
      setWhole(false)
      setTicked(isOn ? [...here, key] : (isWhole ? keys : here).filter((other) => other !== key))
    },
    tickAll: (isOn: boolean) => {
      setWhole(false)
      setTicked(isOn ? keys : [])
    },
    selectAllPages: () => {
      setTicked(keys)
      setWhole(true)
    },
  }
}

export type Ticks = ReturnType<typeof useTicks>
