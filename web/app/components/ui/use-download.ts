import { useCallback, useEffect, useRef, useState } from 'react'
import type { DownloadProgress } from '#core/downloads/download-progress.query.ts'

/** Delay before the file is requested, in milliseconds: the dialog is shown first. */
const startDelayMs = 100
const pollMs = 400
/** The shortest time the dialog is shown, in milliseconds, so that it does not flash. */
const minShownMs = 900
/** How long a started download may stay unknown to the server, in milliseconds, before it counts as not begun. */
const startTimeoutMs = 20_000

export interface DownloadView {
  phase: 'starting' | 'running' | 'failed'
  bytes: number
  rows: number
  rowsTotal: number | null
  /** Why the download failed. */
  reason: string
}

const initialView: DownloadView = { phase: 'starting', bytes: 0, rows: 0, rowsTotal: null, reason: '' }

/**
 * A download and its progress. The file is the browser's own download: it is streamed to disk, where a script would have to buffer hundreds
 * of megabytes, and it continues when the page is left. The browser reports nothing to the page, so the server is polled, which can also
 * cancel it. `view` is null while there is nothing to show.
 */
export function useDownload(href: string, onDone: (fileName: string) => void) {
  const [run, setRun] = useState<{ token: string } | null>(null)
  const [view, setView] = useState<DownloadView | null>(null)
  const latestOnDone = useRef(onDone)
  latestOnDone.current = onDone

  const start = useCallback(() => {
    setView(initialView)
    setRun({ token: newToken() })
  }, [])
  const close = useCallback(() => {
    setRun(null)
    setView(null)
  }, [])
  const cancel = useCallback(() => {
    if (run) void fetch(addressOf(run.token), { method: 'POST' }).catch(() => {})
    close()
  }, [run, close])

  useEffect(() => {
    if (!run) return
    let isStopped = false
    const startedAt = performance.now()
    const fail = (reason: string) => setView((last) => ({ ...(last ?? initialView), phase: 'failed', reason }))
    const poll = async () => {
      const progress = await fetchProgress(run.token)
      if (isStopped) return
      if ('reason' in progress) return fail(progress.reason)
      const { state, problem, fileName, ...counts } = progress
      if (state === 'done') {
        await pause(Math.max(0, minShownMs - (performance.now() - startedAt)))
        if (isStopped) return
        close()
        return latestOnDone.current(fileName)
      }
      if (state === 'cancelled') return close()
      if (state === 'failed') return fail(problem ?? 'The server could not create the file.')
      if (state === 'unknown' && performance.now() - startedAt > startTimeoutMs)
        return fail('The download did not begin. Check the connection, and that the browser allows downloads here.')
      setView({ ...counts, phase: state === 'unknown' ? 'starting' : 'running', reason: '' })
      await pause(pollMs)
      if (!isStopped) await poll()
    }
    const begin = async () => {
      await pause(startDelayMs)
      // Checks the session first: after a log-out the log-in page would be saved as the file.
      const sessionCheck = isStopped ? null : await fetchProgress(run.token)
      if (isStopped || !sessionCheck) return
      if ('reason' in sessionCheck) return fail(sessionCheck.reason)
      saveAs(`${href}${href.includes('?') ? '&' : '?'}download=${run.token}`)
      await poll()
    }
    void begin()
    return () => {
      isStopped = true
    }
  }, [run, href, close])

  return { view, start, close, cancel }
}

const addressOf = (token: string) => `/downloads?token=${token}`

async function fetchProgress(token: string): Promise<DownloadProgress | { reason: string }> {
  try {
    const response = await fetch(addressOf(token), { headers: { Accept: 'application/json' } })
    if (response.redirected) return { reason: 'You have been logged out. Log in again, then retry.' }
    if (!response.ok) return { reason: 'The server has a problem at the moment. Please retry.' }
    return (await response.json()) as DownloadProgress
  } catch {
    return { reason: 'The server is not responding. Check the connection, then retry.' }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Starts a browser download without leaving the page. */
function saveAs(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

function newToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
