/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

/** A block of code or a response, verbatim. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <section {...scrollable} aria-label={label} className="min-w-0 grow overflow-x-auto">
      <pre className="text-table">
        <code>{children}</code>
      </pre>
    </section>
  )
}
