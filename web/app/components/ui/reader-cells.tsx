import { Badge } from './badge.tsx'

const subTypeLabels: Record<string, string> = { print: 'Print', digital: 'Digital', bundle: 'Bundle' }

/** The kind of a subscription as text, or a dash for a reader without one. */
export function SubTypeText({ type }: { type: string }) {
  return <>{subTypeLabels[type] ?? '-'}</>
}

const stateLabels = {
  none: { text: 'No subscription', tone: 'neutral' },
  future: { text: 'Not started', tone: 'info' },
  current: { text: 'Current', tone: 'success' },
  expired: { text: 'Expired', tone: 'warning' },
} as const

/** A reader's status today: deactivated takes precedence over the subscription. */
export function ReaderState({ state, isDeleted }: { state: keyof typeof stateLabels; isDeleted: boolean }) {
  if (isDeleted) return <Badge>Deactivated</Badge>
  return <Badge tone={stateLabels[state].tone}>{stateLabels[state].text}</Badge>
}

/** A reader's display name, or the company where there is no name. */
export function readerName(reader: {
  title: string
  firstName: string
  lastName: string
  fullName: string
  companyName: string
}): string {
  const name = reader.fullName || [reader.title, reader.firstName, reader.lastName].filter(Boolean).join(' ')
  return name || reader.companyName || 'No name'
}
