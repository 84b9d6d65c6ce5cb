import type { ReactNode } from 'react'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { currencySymbol, formatMinorUnits, parseMinorUnits } from '#core/kernel/money.ts'
import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { type Product, productNames, products, termLengths, termName } from '#core/pricing/plan-code.rules.ts'
import { currencyOf } from '#core/pricing/region.rules.ts'
import { type PublicationStep, stepFields } from '#core/publications/publication-steps.rules.ts'
import { useFormState } from '../ui/form-context.ts'
import { SummaryList } from '../ui/summary-list.tsx'
import type { StepProps } from './publication-wizard.tsx'
import { fieldLabels, wizardSteps } from './wizard-steps.ts'

/** All answers of the six previous steps, each with a link to change it. */
export function CheckAnswers({ page }: StepProps) {
  const { values } = useFormState()
  return (
    <div className="space-y-4">
      <h3 className="text-lead font-semibold">Check your answers</h3>
      {wizardSteps
        .filter(({ step }) => step !== 'submit')
        .map(({ step, heading }) => (
          <SummaryList
            key={step}
            title={heading}
            changeTo={`${page.base}/${step}?change`}
            rows={rowsOf(step, values)}
          />
        ))}
    </div>
  )
}

type Values = ReturnType<typeof useFormState>['values']

function rowsOf(step: PublicationStep, values: Values): { label: string; value: ReactNode | null }[] {
  if (step === 'images') {
    return [
      { label: fieldLabels.coverImage ?? '', value: thumbnail(values.coverImage, 'cover') },
      { label: fieldLabels.logoImage ?? '', value: thumbnail(values.logoImage, 'logo') },
    ]
  }
  if (step === 'prices')
    return products.map((product) => ({ label: productNames[product], value: pricesOf(product, values) }))
  return stepFields[step].map((name) => ({
    label: fieldLabels[name] ?? name,
    value: name === 'color' ? <Colour color={values.color ?? ''} /> : values[name]?.trim() || null,
  }))
}

function thumbnail(image: string | undefined, kind: 'cover' | 'logo'): ReactNode | null {
  const picture = imageFilesOf(image, kind)
  if (!picture) return null
  return (
    <img
      src={picture.src}
      alt={`The ${kind} you chose`}
      className={`${kind === 'cover' ? 'h-24' : 'h-10'} w-auto rounded-input border border-line bg-white object-contain`}
    />
  )
}

function Colour({ color }: { color: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span
        aria-hidden="true"
        className="size-5 rounded-input border border-line"
        style={/^#[0-9a-f]{6}$/i.test(color) ? { backgroundColor: color } : undefined}
      />
      <span className="numeric">{color}</span>
    </span>
  )
}

/** A line for each term that is sold, one-off before recurring. */
function pricesOf(product: Product, values: Values): ReactNode | null {
  if (values[`${product}IsFree`] === 'on') return 'Free'
  const lines = termLengths.flatMap((termMonths) =>
    [false, true].flatMap((isRecurring) => {
      const prices = flatPriceNames
        .filter(
          (price) => price.product === product && price.termMonths === termMonths && price.isRecurring === isRecurring,
        )
        .flatMap(({ name, band }) => {
          const typed = values[name]?.trim()
          return typed ? [`${currencySymbol(currencyOf(band))}${asPrice(typed)}`] : []
        })
      return prices.length === 0
        ? []
        : [`${termName(termMonths)}${isRecurring ? ', renewing' : ''}: ${prices.join(', ')}`]
    }),
  )
  return lines.length === 0 ? null : lines.join('\n')
}

function asPrice(typed: string): string {
  const amount = parseMinorUnits(typed)
  return amount === null ? typed : formatMinorUnits(amount)
}
