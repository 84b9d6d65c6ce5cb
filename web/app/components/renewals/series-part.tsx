import { Form } from '@remix-run/react'
import type { ReaderSeries } from '#core/series/reader-series.ts'
import { effortDay } from '#core/series/series.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { DayText } from '../ui/formats.tsx'
import { channelNames, kindNames } from './effort-words.ts'

const stateWords = {
  due: 'planned',
  produced: 'in a file of letters',
  skipped: 'left out: its day was missed',
} as const

/** What a reader's page says of the renewal series: which effort comes next, or why none, what went, and the button that stops it for this end. */
export function SeriesPart({ series }: { series: ReaderSeries }) {
  const { next, why, isStopped, canStop, gone, endsOn } = series
  return (
    <Section
      title="Renewal series"
      action={
        <Badge tone={next ? 'success' : 'neutral'}>{isStopped ? 'Stopped' : next ? 'On' : 'Nothing comes'}</Badge>
      }
    >
      <Facts>
        {next ? (
          <>
            <Fact label="Next effort">
              <DayText day={next.on} />
            </Fact>
            <Fact label="What it is">
              {channelNames[next.channel]}, {kindNames[next.kind].toLowerCase()}
              <span className="block text-ink-2">{effortDay(next.dayOffset)}</span>
            </Fact>
          </>
        ) : (
          <Fact label="Why nothing comes" isWide>
            {why}
          </Fact>
        )}
        {gone.length > 0 && (
          <Fact label="About this end" isWide>
            <ul>
              {gone.map(({ dayOffset, on, channel, state }) => (
                <li key={dayOffset}>
                  <DayText day={on} />: {channelNames[channel]}, {effortDay(dayOffset).toLowerCase()}
                  {(state !== 'due' || channel === 'letter') && ` (${stateWords[state]})`}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      {(canStop || isStopped) && (
        <Form method="post" className="mt-4">
          <Button type="submit" name="intent" value={isStopped ? 'start-series' : 'stop-series'}>
            {isStopped ? 'Start the series again' : 'Stop the series for this end'}
          </Button>
          <p className="mt-1 text-caption text-muted">
            {'Only about the end on '}
            <DayText day={endsOn} />
            {'. After a renewal the series goes on by itself.'}
          </p>
        </Form>
      )}
    </Section>
  )
}
