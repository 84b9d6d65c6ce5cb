import { CopyButton } from '../ui/copy-button.tsx'

/** A masked key: only its beginning and end, because others may see the screen. */
export function maskedKey(lastFour: string): string {
  return `mk_${'•'.repeat(12)}${lastFour}`
}

/** A key: masked until it is revealed; it can be copied without being shown. */
export function KeyText({ apiKey, lastFour, label }: { apiKey: string | null; lastFour: string; label: string }) {
  if (apiKey === null) {
    return (
      <p className="text-body text-ink-2">
        <code>{maskedKey(lastFour)}</code>: it works, but can no longer be shown, because the application secret of this
        installation has changed since. Replace it to see a key again.
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-start gap-x-2">
      <details className="group min-w-0">
        <summary className="flex min-h-8 cursor-pointer list-none flex-wrap items-center gap-x-3 text-body">
          <code className="group-open:hidden">{maskedKey(lastFour)}</code>
          <span className="link">
            <span className="group-open:hidden">Show</span>
            <span className="hidden group-open:inline">Hide</span>
            <span className="sr-only"> {label}</span>
          </span>
        </summary>
        <code className="block pb-1 text-body wrap-anywhere select-all">{apiKey}</code>
      </details>
      <CopyButton text={apiKey} label={`Copy ${label}`} />
    </div>
  )
}
