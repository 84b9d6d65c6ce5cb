import { useFetcher } from '@remix-run/react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'

const pauseMs = 800

/**
 * Keeps what is typed on the server while one types: after a pause, on leaving a field, and as a last resort when the page itself goes
 * away. What a button of the form sends supersedes it.
 */
export function useDraftKeeper(action: string) {
  const fetcher = useFetcher()
  const waiting = useRef<HTMLFormElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()

  function keepNow(): void {
    clearTimeout(timer.current)
    const form = waiting.current
    waiting.current = null
    if (form) fetcher.submit(typedIn(form), { method: 'post', action })
  }

  useEffect(() => {
    function leave(): void {
      clearTimeout(timer.current)
      if (waiting.current) navigator.sendBeacon?.(action, typedIn(waiting.current))
      waiting.current = null
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [action])

  return {
    isKeeping: fetcher.state !== 'idle',
    /** For the form: something was typed. */
    onInput(event: FormEvent<HTMLFormElement>): void {
      waiting.current = event.currentTarget
      clearTimeout(timer.current)
      timer.current = setTimeout(keepNow, pauseMs)
    },
    onBlur: keepNow,
    /** Ctrl+S or Cmd+S, which would save the page as a file. */
    onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      keepNow()
    },
    /** For the form: it is being sent whole. */
    onSubmit(): void {
      clearTimeout(timer.current)
      waiting.current = null
    },
  }
}

function typedIn(form: HTMLFormElement): FormData {
  const typed = new FormData(form)
  typed.set('intent', 'keep')
  return typed
}
