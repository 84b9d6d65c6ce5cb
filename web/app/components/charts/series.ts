export type SeriesKey = 'print' | 'digital' | 'bundle'

interface Series {
  key: SeriesKey
  label: string
  color: string
  dash: number[]
  marker: 'circle' | 'rect' | 'triangle'
}

/** The three kinds of subscription in every chart: each has its own colour, dash and marker. */
export const chartSeries: readonly Series[] = [
  { key: 'print', label: 'Print', color: '#1d4f91', dash: [], marker: 'circle' },
  { key: 'digital', label: 'Digital', color: '#d55e00', dash: [8, 4], marker: 'rect' },
  { key: 'bundle', label: 'Bundle', color: '#00805d', dash: [2, 3], marker: 'triangle' },
]
