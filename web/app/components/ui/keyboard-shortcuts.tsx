import { useSyncExternalStore } from 'react'

const storageKey = 'page-keys'
const changes = new EventTarget()

/**
 * Whether keys without a modifier act on the page. They can be turned off in a browser, as WCAG 2.1.4 requires: speech input types each letter of a
 * dictated word as such a key.
 */
export function areKeyboardShortcutsOn(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

function turnShortcuts(state: 'on' | 'off'): void {
  try {
    window.localStorage.setItem(storageKey, state)
  } catch {}
  changes.dispatchEvent(new Event('change'))
}

function subscribe(onChange: () => void): () => void {
  changes.addEventListener('change', onChange)
  return () => changes.removeEventListener('change', onChange)
}

/** The keyboard shortcuts of a page, such as "J next, K previous", and a button that turns them off, including the one for the search. */
export function KeyboardShortcuts({ keys, className = '' }: { keys: string; className?: string }) {
  const areOn = useSyncExternalStore(subscribe, areKeyboardShortcutsOn, () => true)
  return (
    <span className={`text-caption text-muted max-md:hidden ${className}`}>
      {areOn ? `Keyboard shortcuts: ${keys}` : 'Keyboard shortcuts are off in this browser'}{' '}
      <button type="button" onClick={() => turnShortcuts(areOn ? 'off' : 'on')} className="text-link underline">
        {areOn ? 'Turn shortcuts off' : 'Turn shortcuts on'}
      </button>
    </span>
  )
}
