import { useState } from 'react'

/** Gmail clips longer emails. */
const gmailLimit = 100 * 1024

const widths = { phone: { text: 'Phone', px: 360 }, desktop: { text: 'Desktop', px: 700 } } as const

interface MailPreviewProps {
  /** The sender, shown where the email has not been sent yet. */
  preview: { fromName?: string; replyTo?: string; subject: string; html: string; text: string }
  heading?: string
  /** Whether a new preview is being rendered. */
  isStale?: boolean
}

/** An email as its reader sees it, with sender and subject as in an inbox. */
export function MailPreviewPane({ preview, heading = 'Preview', isStale = false }: MailPreviewProps) {
  const [width, setWidth] = useState<keyof typeof widths>('desktop')
  const { fromName, replyTo, subject, html, text } = preview
  const bytes = new TextEncoder().encode(html).length
  return (
    <section aria-label={heading} aria-busy={isStale} className="card min-w-0 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-h3">{heading}</h2>
        <div className="flex rounded-input border border-control p-0.5">
          {Object.entries(widths).map(([name, { text: label }]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === width}
              onClick={() => setWidth(name as keyof typeof widths)}
              className={`inline-flex min-h-8 items-center rounded-input px-3 text-table ${name === width ? 'bg-primary-soft font-semibold text-primary' : 'text-ink-2 hover:bg-subtle'}`}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <dl className="mt-3 space-y-1 text-body">
        {fromName && <Line label="From" value={fromName} />}
        {replyTo && <Line label="Reply to" value={replyTo} />}
        <Line label="Subject" value={subject} />
      </dl>
      {bytes > gmailLimit && (
        <p className="mt-2 text-body text-danger">
          {`This email is ${Math.ceil(bytes / 1024)} kB long. Gmail cuts off everything after 100 kB: shorten the text.`}
        </p>
      )}
      <div className="mt-3 overflow-x-auto rounded-input border border-line bg-subtle">
        {/* The sandboxed frame allows no scripts and no forms. It keeps our origin, otherwise the logo would be refused. */}
        <iframe
          sandbox="allow-same-origin"
          srcDoc={html}
          title="The email as HTML"
          style={{ width: `${widths[width].px}px` }}
          className="mx-auto block h-160 max-w-full"
        />
      </div>
      <details className="mt-3">
        <summary className="cursor-pointer text-body">As plain text</summary>
        <pre className="mt-2 overflow-x-auto rounded-input bg-subtle p-3 text-table whitespace-pre-wrap">{text}</pre>
      </details>
    </section>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="w-20 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </div>
  )
}
