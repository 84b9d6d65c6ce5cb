import type { ReactNode } from 'react'
import type { SenderView } from '#core/senders/get-sender.query.ts'
import type { RecordState } from '#core/senders/sender-records.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Moment } from '../ui/formats.tsx'

type ShownRecord = SenderView['records'][number]

interface SenderRecordsProps {
  sender: SenderView
  timeZone: string
  /** The button that checks the records now. */
  children: ReactNode
}

/** The DNS records that a publisher's own sender address needs: each with its state, name and value. */
export function SenderRecords({ sender: { records, checkedAt, dnsProblem }, timeZone, children }: SenderRecordsProps) {
  return (
    <>
      <p className="text-body text-ink-2">
        Add these as TXT records where the DNS of your domain is managed. Some providers add the domain to the name
        automatically: then enter only the part before it.
      </p>
      <ul className="mt-3 divide-y divide-line">
        {records.map((record) => (
          <RecordRow key={record.kind} record={record} isChecked={checkedAt !== null} />
        ))}
      </ul>
      <p className="mt-3 text-table text-muted">
        {checkedAt ? (
          <>
            Last checked <Moment at={checkedAt} timeZone={timeZone} />.
          </>
        ) : (
          'Not checked yet.'
        )}
        {dnsProblem !== '' && ` At the last check DNS returned ${dnsProblem}; the earlier result still holds.`}
      </p>
      {children}
    </>
  )
}

const stateBadges: Record<RecordState, { tone: 'success' | 'warning' | 'danger'; text: string }> = {
  found: { tone: 'success', text: 'Found' },
  missing: { tone: 'warning', text: 'Missing' },
  wrong: { tone: 'danger', text: 'Wrong' },
}

const purposes: Record<ShownRecord['kind'], string> = {
  DKIM: 'Signs each email for your domain. Required: without it emails are sent from this installation’s address.',
  SPF: 'Lists us among the servers that may send for your domain. Recommended.',
  DMARC: 'Tells receivers what to do with forged emails from your domain. Large providers require it of bulk senders.',
}

function RecordRow({ record, isChecked }: { record: ShownRecord; isChecked: boolean }) {
  const { kind, state, name, value, found, problem } = record
  const { tone, text } = stateBadges[state]
  return (
    <li className="space-y-2 py-4 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-body font-semibold">{kind}</h3>
        {isChecked ? <Badge tone={tone}>{text}</Badge> : <Badge>Not checked yet</Badge>}
      </div>
      <p className="text-table text-ink-2">{purposes[kind]}</p>
      {isChecked && problem !== '' && <p className="text-body">{problem}</p>}
      <dl className="space-y-2">
        <CopiedValue label="Name" kind={kind} text={name} />
        {state !== 'found' && <CopiedValue label="Value" kind={kind} text={value} />}
        {found !== '' && (state === 'wrong' || kind !== 'DKIM') && (
          <div>
            <dt className="text-table text-muted">Found</dt>
            <dd>
              <code className="text-table whitespace-pre-line wrap-anywhere">{found}</code>
            </dd>
          </div>
        )}
      </dl>
    </li>
  )
}

function CopiedValue({ label, kind, text }: { label: string; kind: string; text: string }) {
  return (
    <div>
      <dt className="text-table text-muted">{label}</dt>
      <dd className="flex items-center gap-2">
        <code className="min-w-0 text-table wrap-anywhere select-all">{text}</code>
        <CopyButton text={text} label={`Copy the ${label.toLowerCase()} of the ${kind} record`} />
      </dd>
    </div>
  )
}
