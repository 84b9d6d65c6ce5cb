import {
  CategoryScale,
  Chart,
  type ChartData,
  type ChartOptions,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { Line } from 'react-chartjs-2'
import { axisLabel, axisStep, monthNames } from '#core/analytics/year-chart.rules.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { chartSeries, type SeriesKey } from './series.ts'

Chart.register(LineController, LineElement, PointElement, CategoryScale, LinearScale, Tooltip)

interface YearChartProps {
  /** Twelve values per series; null for future months. */
  months: Record<SeriesKey, (number | null)[]>
  /** Index of the current month, or -1. */
  currentMonth: number
  summary: string
}

/** A line chart of one year with three series. The current month is dashed; mouse, tap and arrow keys move one tooltip across all lines. */
export function YearChart({ months, currentMonth, summary }: YearChartProps) {
  const chart = useRef<Chart<'line', (number | null)[]>>(null)
  const hoveredIndex = useRef(-1)
  const [hiddenSeries, setHiddenSeries] = useState<ReadonlySet<SeriesKey>>(new Set())
  const data = useMemo(() => chartData(months, currentMonth, hiddenSeries), [months, currentMonth, hiddenSeries])
  const options = useMemo(() => chartOptions(months, currentMonth), [months, currentMonth])

  const moveTooltip = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const { current } = chart
    if (!current || (!step && event.key !== 'Escape')) return
    event.preventDefault()
    const last = months.print.findLastIndex((value) => value !== null)
    hoveredIndex.current = step ? Math.min(last, Math.max(0, hoveredIndex.current + step)) : -1
    const active =
      hoveredIndex.current < 0
        ? []
        : current
            .getSortedVisibleDatasetMetas()
            .map(({ index }) => ({ datasetIndex: index, index: hoveredIndex.current }))
    current.setActiveElements(active)
    current.tooltip?.setActiveElements(active, { x: 0, y: 0 })
    current.update('none')
  }

  const toggle = (key: SeriesKey) => {
    const next = new Set(hiddenSeries)
    if (!next.delete(key)) next.add(key)
    setHiddenSeries(next)
  }

  return (
    <div className="bg-surface text-ink forced-color-adjust-none">
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {chartSeries.map(({ key, label, color, dash }) => (
          <button
            key={key}
            type="button"
            aria-pressed={!hiddenSeries.has(key)}
            onClick={() => toggle(key)}
            className={`inline-flex min-h-7 items-center gap-2 rounded-input px-1.5 text-table hover:bg-subtle ${hiddenSeries.has(key) ? 'text-muted line-through' : ''}`}
          >
            <svg width="28" height="8" aria-hidden="true">
              <line x1="0" y1="4" x2="28" y2="4" stroke={color} strokeWidth="2" strokeDasharray={dash.join(' ')} />
              <circle cx="14" cy="4" r="3" fill={color} />
            </svg>
            {label}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a chart with its own keyboard control */}
      <div
        role="group"
        aria-label="Chart: left and right arrow keys move through the months"
        {...focusable}
        onKeyDown={moveTooltip}
        className="relative mt-2 h-72"
      >
        <Line ref={chart} data={data} options={options} aria-label={summary} role="img" />
      </div>
    </div>
  )
}

/** The arrow keys only work in an element that has the focus. */
const focusable = { tabIndex: 0 }

function chartData(
  months: YearChartProps['months'],
  currentMonth: number,
  hiddenSeries: ReadonlySet<SeriesKey>,
): ChartData<'line', (number | null)[]> {
  return {
    labels: monthNames.map((name, index) => (index === currentMonth ? `${name} so far` : name)),
    datasets: chartSeries.map(({ key, label, color, dash, marker }) => ({
      label,
      data: months[key],
      hidden: hiddenSeries.has(key),
      borderColor: color,
      backgroundColor: color,
      borderWidth: 2,
      borderDash: dash,
      pointStyle: marker,
      pointRadius: 3.5,
      pointHoverRadius: 6,
      pointBackgroundColor: (point: { dataIndex: number }) => (point.dataIndex === currentMonth ? '#ffffff' : color),
      segment: {
        borderDash: (segment: { p1DataIndex: number }) => (segment.p1DataIndex === currentMonth ? [3, 5] : undefined),
      },
    })),
  }
}

function chartOptions(months: YearChartProps['months'], currentMonth: number): ChartOptions<'line'> {
  const largest = Math.max(0, ...Object.values(months).flatMap((values) => values.map((value) => value ?? 0)))
  const stepSize = axisStep(largest)
  const font = { family: 'Inter Variable, system-ui, sans-serif', size: 12 }
  const reducesMotion = typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    responsive: true,
    maintainAspectRatio: false,
    animation: reducesMotion ? false : { duration: 200 },
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { grid: { display: false }, ticks: { color: '#5b6774', font, maxRotation: 0, autoSkip: true } },
      y: {
        min: 0,
        suggestedMax: Math.max(stepSize, Math.ceil(largest / stepSize) * stepSize),
        grid: { color: '#eceff2' },
        border: { display: false },
        ticks: { stepSize, color: '#5b6774', font, callback: (value) => axisLabel(Number(value)) },
      },
    },
    plugins: {
      legend: { display: false },
      tooltip: {
        backgroundColor: '#14202e',
        titleFont: font,
        bodyFont: font,
        footerFont: font,
        usePointStyle: true,
        callbacks: {
          title: ([item]) => `${monthNames[item?.dataIndex ?? 0]}${item?.dataIndex === currentMonth ? ', so far' : ''}`,
          label: (item) => ` ${item.dataset.label}: ${formatCount(item.parsed.y ?? 0)}`,
          footer: (items) => `Total: ${formatCount(items.reduce((sum, item) => sum + (item.parsed.y ?? 0), 0))}`,
        },
      },
    },
  }
}
