import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Section } from '../ui/facts.tsx'
import { callExamples } from './call-examples.ts'
import { CodeBlock } from './code-block.tsx'
import { maskedKey } from './key-text.tsx'

interface CallGuideProps {
  appUrl: string
  /** Null if there is no key to show. */
  apiKey: string | null
  /** The form to try the call. */
  children: ReactNode
}

const requestFields = [
  ['key', 'The API key of Step One, or a further key that may check subscribers'],
  ['email', 'The email that the reader logs in with'],
  ['password', 'What the reader typed. Send it over https and do not store it'],
] as const

const responseFields = [
  ['response', '“success” for a subscriber who may read the digital edition now, otherwise “failed”'],
  [
    'reason',
    'Why it failed: “credentials” (the email or the password is wrong), “none” (no subscription), “print-only”, “not-started” or “ended”; no value for a subscriber',
  ],
  ['single', 'true where the reader has bought a single or back issue of this publication'],
  ['fname, sname', 'First name and surname'],
  ['subStartDate', 'The first second of the subscription, in seconds since 1 January 1970 UTC (Unix time)'],
  [
    'subEndDate',
    'The last second of the subscription’s last day, also in Unix time: the reader may read until then. Of several subscriptions, the one that ends last',
  ],
] as const

/** Step Two: the call that a partner's program makes, with sample code that contains the real address and key. */
export function CallGuide({ appUrl, apiKey, children }: CallGuideProps) {
  const maskedExamples = callExamples(appUrl, apiKey ? maskedKey(apiKey.slice(-4)) : 'YOUR API KEY')
  const examplesWithKey = callExamples(appUrl, apiKey ?? 'YOUR API KEY')
  return (
    <Section title="Step Two">
      <div className="space-y-5">
        <p className="text-body text-ink-2">
          The app sends what the reader typed to{' '}
          <code className="wrap-anywhere">POST {appUrl}/api/thirdparty/checksubscriber</code> as JSON and acts on the
          response. A digital subscription or a bundle lets a reader in, print alone does not. A reader who has no
          password yet is sent a link to choose one, at most once a day.
        </p>
        <Table caption="What is sent" rows={requestFields} />
        <Table caption="What is returned" rows={responseFields} />
        <div className="space-y-3">
          {maskedExamples.map(({ language, code }, index) => (
            <details key={language} open={index === 0} className="rounded-input border border-line">
              <summary className="min-h-10 cursor-pointer px-3 py-2 text-body font-medium">{language}</summary>
              <div className="flex items-start gap-2 border-t border-line p-3">
                <CodeBlock label={`Example in ${language}`}>{code}</CodeBlock>
                <CopyButton
                  text={examplesWithKey[index]?.code ?? code}
                  label={`Copy the ${language} example, with the key`}
                />
              </div>
            </details>
          ))}
        </div>
        {children}
        <p className="text-body text-ink-2">
          After ten wrong passwords for one reader within 15 minutes, the call returns status 429 until the 15 minutes
          are over; other calls are described in the{' '}
          <a href="/api/docs" className="link">
            API reference
          </a>
          .
        </p>
      </div>
    </Section>
  )
}

function Table({ caption, rows }: { caption: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <table className="w-full text-table">
      <caption className="pb-1 text-left text-body font-medium">{caption}</caption>
      <tbody>
        {rows.map(([name, meaning]) => (
          <tr key={name} className="border-t border-line align-top">
            <th scope="row" className="w-32 py-2 pr-3 text-left font-normal">
              <code>{name}</code>
            </th>
            <td className="py-2 text-ink-2">{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
