import { useEffect, useState } from 'react'

/**
 * The reference of an error that only the browser knows: a component that threw after the page had loaded. Each error that an error boundary
 * shows is reported to the server once, under this reference. Undefined if `isFault` is false, as for error responses, and while the server
 * renders.
 */
export function useBrowserFault(error: unknown, isFault: boolean): string | undefined {
  const [reference, setReference] = useState<string>()
  useEffect(() => {
    if (!isFault) return
    const newReference = generateReference()
    setReference(newReference)
    report(error, newReference)
  }, [error, isFault])
  return isFault ? reference : undefined
}

/** Twelve hexadecimal digits, short enough to read out: 3f9a-11bc-0d2e. `randomUUID` exists only over https. */
function generateReference(): string {
  return [...crypto.getRandomValues(new Uint16Array(3))].map((n) => n.toString(16).padStart(4, '0')).join('-')
}

function report(error: unknown, reference: string): void {
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) }
  const { __remixManifest: manifest } = window as { __remixManifest?: { version: string } }
  const fault = {
    reference,
    message: message.slice(0, 300),
    stack: stack.slice(0, 3_000),
    path: window.location.pathname.slice(0, 300),
    build: manifest?.version ?? '',
  }
  const headers = { 'Content-Type': 'application/json' }
  // Offline, the user still sees the reference.
  fetch('/browser-faults', { method: 'POST', headers, body: JSON.stringify(fault), keepalive: true }).catch(() => {})
}
