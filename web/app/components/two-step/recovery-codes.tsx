import { useEffect, useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Section } from '../ui/facts.tsx'

interface RecoveryCodesProps {
  codes: string[]
  /** Where the user continues. */
  next: { to: string; label: string }
}

/** The ten recovery codes, shown once: to copy, print or download. */
export function RecoveryCodes({ codes, next }: RecoveryCodesProps) {
  const [isReady, setReady] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => setReady(true), [])
  const text = `Masthead recovery codes\n\n${codes.join('\n')}\n\nEach works once.\n`
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setAnnouncement('Copied'),
      () => setAnnouncement('Your browser did not let us copy them. Select them, or download them.'),
    )
  return (
    <Section title="Your recovery codes">
      <div className="space-y-4">
        <Banner tone="warning" title="They are shown only once">
          Keep them where you can find them without your phone. Each lets you in once; anybody who has one and your
          password can log in as you.
        </Banner>
        <ol className="grid max-w-xl gap-x-8 gap-y-1.5 rounded-card border border-line bg-subtle p-4 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="numeric text-input tracking-wide">{code}</code>
            </li>
          ))}
        </ol>
        <div className="no-print flex flex-wrap gap-3">
          {isReady && (
            <>
              {/* Browsers have no clipboard on a page without HTTPS. */}
              {navigator.clipboard && <Button onClick={copy}>Copy</Button>}
              <Button onClick={() => window.print()}>Print</Button>
            </>
          )}
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="masthead-recovery-codes.txt"
            className="link inline-flex min-h-10 items-center px-1 text-body"
          >
            Download as text
          </a>
        </div>
        <p role="status" className="text-body text-ink-2 empty:hidden">
          {announcement}
        </p>
        <div className="no-print border-t border-line pt-4">
          <LinkButton to={next.to} kind="primary">
            {next.label}
          </LinkButton>
        </div>
      </div>
    </Section>
  )
}
