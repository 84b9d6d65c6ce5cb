import { Form } from '@remix-run/react'
import { useId } from 'react'
import type { ReaderSeries } from '#core/series/reader-series.ts'
import { effortDay } from '#core/series/series.rules.ts'
import { disabledWhile, SaveFirst } from '../readers/save-first.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { DayText } from '../ui/formats.tsx'
import { channelNames, kindNames } from './effort-texts.ts'

const stateLabels = {
  due: 'planned',
  produced: 'in a letter file',
  skipped: 'skipped: its day was missed',
} as const

/** The renewal series on a reader's page: the next effort or why there is none, past efforts, and the button that stops it. */
export function SeriesPart({ series, isDirty }: { series: ReaderSeries; isDirty: boolean }) {
  const reasonId = useId()
  const { next, why, isStopped, canStop, past, endsOn } = series
  return (
    <Section
      title="Renewal series"
      action={<Badge tone={next ? 'success' : 'neutral'}>{isStopped ? 'Stopped' : next ? 'On' : 'None planned'}</Badge>}
    >
      <Facts>
        {next ? (
          <>
            <Fact label="Next effort">
              <DayText day={next.on} />
            </Fact>
            <Fact label="Channel and kind">
              {channelNames[next.channel]}, {kindNames[next.kind].toLowerCase()}
              <span className="block text-ink-2">{effortDay(next.dayOffset)}</span>
            </Fact>
          </>
        ) : (
          <Fact label="Why none is planned" isWide>
            {why}
          </Fact>
        )}
        {past.length > 0 && (
          <Fact label="For this expiry" isWide>
            <ul>
              {past.map(({ dayOffset, on, channel, state }) => (
                <li key={dayOffset}>
                  <DayText day={on} />: {channelNames[channel]}, {effortDay(dayOffset).toLowerCase()}
                  {(state !== 'due' || channel === 'letter') && ` (${stateLabels[state]})`}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      {(canStop || isStopped) && (
        <Form method="post" className="mt-4">
          <Button
            type="submit"
            name="intent"
            value={isStopped ? 'start-series' : 'stop-series'}
            {...disabledWhile(isDirty, reasonId)}
          >
            {isStopped ? 'Start the series again' : 'Stop the series for this expiry'}
          </Button>
          {isDirty && <SaveFirst id={reasonId} />}
          <p className="mt-1 text-caption text-muted">
            {'Only for the expiry on '}
            <DayText day={endsOn} />
            {'. After a renewal the series continues automatically.'}
          </p>
        </Form>
      )}
    </Section>
  )
}
