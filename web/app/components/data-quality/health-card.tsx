import { Form, Link } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { DataHealth } from '#core/warnings/data-health.query.ts'
import { Button } from '../ui/button.tsx'

interface HealthCardProps {
  publicationId: number
  health: DataHealth
  back: string
}

/** The quality score of the mailing data, its trend over a year, and the fixes that would raise it most. */
export function HealthCard({ publicationId, health: { last, history, isMailed }, back }: HealthCardProps) {
  return (
    <section aria-labelledby="data-health" className="card mb-8 p-4 lg:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="data-health" className="text-h3">
            Data health
          </h2>
          {last === null ? (
            <p className="mt-1 text-body text-ink-2">Not calculated yet. It is calculated every night.</p>
          ) : last.score === null ? (
            <p className="mt-1 text-body text-ink-2">No print subscription is running, so no copies would be posted.</p>
          ) : (
            <p className="mt-1">
              <span className="numeric text-h1 font-semibold">{last.score}</span>
              <span className="text-body text-ink-2"> out of 100</span>
            </p>
          )}
          {last && (
            <p className="text-table text-ink-2">
              {`${countOf(last.counts.mailed, 'reader')} to be mailed, counted on ${formatDay(last.on)}`}
            </p>
          )}
        </div>
        {history.length > 1 && <Trend history={history} />}
      </div>
      {last && last.actions.length > 0 && (
        <>
          <h3 className="mt-4 text-body font-semibold">Biggest improvements</h3>
          <ol className="mt-1 divide-y divide-line">
            {last.actions.map(({ part, action, readers, points, view }) => (
              <li key={part} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5 text-table">
                <Link
                  to={
                    view
                      ? `/managedata?publication=${publicationId}&view=${view}#list`
                      : `/mailingfile/${publicationId}`
                  }
                  className="link py-1"
                >
                  {action}
                </Link>
                <span className="numeric text-ink-2">
                  {`${countOf(readers, 'reader')}, +${points.toFixed(1)} ${points === 1 ? 'point' : 'points'}`}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <Form method="post" action={back} preventScrollReset className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" name="intent" value="count-health" size="small">
          Update now
        </Button>
        <Button type="submit" name="intent" value={isMailed ? 'digest-off' : 'digest-on'} size="small" kind="quiet">
          {isMailed ? 'Stop the weekly email' : 'Email it to me every Monday'}
        </Button>
      </Form>
    </section>
  )
}

const width = 220
const height = 56

/** The year as a line chart, and as a table for accessibility. */
function Trend({ history }: { history: DataHealth['history'] }) {
  const scores = history.map(({ score }) => score)
  const lowest = Math.min(...scores)
  const highest = Math.max(...scores)
  const range = Math.max(highest - lowest, 5)
  const points = history.map(({ score }, index) => {
    const x = (index / (history.length - 1)) * width
    return `${x.toFixed(1)},${(height - 4 - ((score - lowest) / range) * (height - 8)).toFixed(1)}`
  })
  const [first] = history
  return (
    <div className="min-w-0">
      <svg
        role="img"
        aria-label={`From ${first?.score} on ${formatDay(first?.on ?? '')} to ${scores.at(-1)}; lowest ${lowest}, highest ${highest}`}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className="max-w-full bg-surface text-primary forced-color-adjust-none"
      >
        <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <details className="text-table">
        <summary className="cursor-pointer py-1 text-ink-2">{`The last ${formatCount(history.length)} weeks`}</summary>
        <table className="mt-1">
          <thead>
            <tr className="text-left text-caption text-muted">
              <th scope="col" className="pr-6 font-medium">
                Day
              </th>
              <th scope="col" className="text-right font-medium">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {[...history].reverse().map(({ on, score }) => (
              <tr key={on}>
                <td className="numeric pr-6">{formatDay(on)}</td>
                <td className="numeric text-right">{score}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
