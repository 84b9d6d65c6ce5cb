import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Coupon } from '#core/ports/plan-billing.ts'
import { maxTitles, type PlanKind, type PlanQuote, type PriceType } from '#core/pricing/publisher-plans.rules.ts'
import { moreThanTen } from '#core/signup/signup-texts.rules.ts'
import { pounds } from '../account/plan-texts.ts'
import { Banner } from '../ui/banner.tsx'
import { IconButton, LinkButton } from '../ui/button.tsx'
import { ExpandableDetails } from '../ui/expandable-details.tsx'
import { Field, fieldId } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input } from '../ui/inputs.tsx'
import { PlanPrice } from './plan-price.tsx'
import { signUpLabels } from './sign-up-labels.ts'

interface PlanStepProps {
  problem: Refusal | undefined
  plan: { kind: PlanKind; titles: number }
  coupon: Coupon | null
  quotes: Record<PlanKind, readonly PlanQuote[]>
  priceType: PriceType
  /** The contact for more than ten titles. */
  contactEmail: string
  isDemo: boolean
}

const kinds = [
  { kind: 'standard', name: 'Standard', text: 'Storefronts, readers, mailing files and the online page turner' },
  { kind: 'plus', name: 'Plus', text: 'Everything in Standard, and a mobile app for each title' },
] as const

/** Step three: number of titles, with or without the app. Every price on it comes from the server. */
export function PlanStep({ problem, plan, coupon, quotes, priceType, contactEmail, isDemo }: PlanStepProps) {
  const values = { kind: plan.kind, titles: String(plan.titles) }
  const form = useForm({ problem, labels: signUpLabels, values })
  const [kind, setKind] = useState<PlanKind>((form.values.kind as PlanKind | undefined) ?? plan.kind)
  const [typed, setTyped] = useState(form.values.titles ?? '1')
  const titles = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
  const quote = quotes[kind].find((candidate) => candidate.titles === titles)
  return (
    <Form form={form} className="card space-y-6 p-4 lg:p-6">
      {/* Enter presses the first button of a form, which would otherwise not be Next. */}
      <button type="submit" name="intent" value="next" hidden tabIndex={-1} aria-hidden="true" />
      <h2 className="text-h3 font-semibold">Your plan</h2>
      <fieldset>
        <legend className="mb-2 text-body font-medium text-ink-2">Plan</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {kinds.map((option) => (
            <label
              key={option.kind}
              className="flex cursor-pointer items-start gap-3 rounded-card border border-control p-4 hover:border-ink-2 has-checked:border-primary has-checked:bg-primary-soft"
            >
              <input
                type="radio"
                name="kind"
                value={option.kind}
                checked={kind === option.kind}
                onChange={() => setKind(option.kind)}
                className="mt-1 size-4.5 shrink-0 accent-primary"
              />
              <span>
                <span className="block text-input font-semibold">{option.name}</span>
                <span className="block text-body text-ink-2">{option.text}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <TitleCount typed={typed} titles={titles} quote={quote} onType={setTyped} />
      {quote ? (
        <PlanPrice quote={quote} coupon={coupon} priceType={priceType} />
      ) : (
        titles > maxTitles && (
          <Banner>
            {`${moreThanTen}: `}
            <a href={`mailto:${contactEmail}`} className="link">
              {contactEmail}
            </a>
          </Banner>
        )
      )}
      <noscript>
        <div className="mb-6">
          <SubmitButton kind="secondary" intent="show">
            Show the price
          </SubmitButton>
        </div>
      </noscript>
      <CouponPart coupon={coupon} isDemo={isDemo} />
      <FormButtons>
        <LinkButton to="/signup/billing">Previous</LinkButton>
        <SubmitButton intent="next" isDisabled={titles > maxTitles}>
          Next
        </SubmitButton>
      </FormButtons>
    </Form>
  )
}

interface TitleCountProps {
  typed: string
  titles: number
  quote: PlanQuote | undefined
  onType: (typed: string) => void
}

/** A slider, two buttons and a text field for the same number; only the text field is submitted. */
function TitleCount({ typed, titles, quote, onType }: TitleCountProps) {
  const sliderValue = Number.isNaN(titles) ? 1 : Math.min(Math.max(titles, 1), maxTitles + 1)
  const step = (change: number) => onType(String(Math.min(Math.max(sliderValue + change, 1), maxTitles + 1)))
  const count = sliderValue === 1 ? '1 title' : `${sliderValue} titles`
  const valueText =
    sliderValue > maxTitles
      ? 'More than 10 titles, please contact us'
      : quote
        ? `${count}, ${pounds(quote.perTitle)} per title per month`
        : count
  return (
    <div>
      <Field name="titles" isRequired hint="A title is one magazine with its own storefront.">
        {(control) => (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <div className="flex items-center gap-2">
              <span className="scripted">
                <IconButton
                  kind="secondary"
                  label="One title fewer"
                  icon={<Minus size={18} aria-hidden="true" />}
                  isDisabled={sliderValue <= 1}
                  onClick={() => step(-1)}
                />
              </span>
              <Input
                {...control}
                name="titles"
                inputMode="numeric"
                autoComplete="off"
                maxLength={4}
                value={typed}
                onChange={({ target }) => onType(target.value)}
                className="numeric max-w-18 text-center"
              />
              <span className="scripted">
                <IconButton
                  kind="secondary"
                  label="One title more"
                  icon={<Plus size={18} aria-hidden="true" />}
                  isDisabled={sliderValue > maxTitles}
                  onClick={() => step(1)}
                />
              </span>
            </div>
            <div className="scripted min-w-48 grow">
              <input
                type="range"
                min={1}
                max={maxTitles + 1}
                step={1}
                value={sliderValue}
                aria-label="Number of titles, slider"
                aria-valuetext={valueText}
                aria-controls={fieldId('titles')}
                onChange={({ target }) => onType(target.value)}
                className="h-6 w-full cursor-pointer accent-primary"
              />
              <div aria-hidden="true" className="numeric flex justify-between px-1 text-caption text-muted">
                <span>1</span>
                <span>5</span>
                <span>10+</span>
              </div>
            </div>
          </div>
        )}
      </Field>
    </div>
  )
}

/** A promo code: a collapsed field, or the discount once a code is applied. */
function CouponPart({ coupon, isDemo }: { coupon: Coupon | null; isDemo: boolean }) {
  const { values, errors } = useFormState()
  if (coupon) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-success/30 bg-success-soft px-4 py-3">
        <p role="status" className="text-body">
          {coupon.percentOff === 100 ? (
            'Promotion Code Successfully Applied - Free Unlimited Use Plan'
          ) : (
            <>
              <strong className="font-semibold">{coupon.name}</strong>
              {`: ${coupon.percentOff}% off${coupon.isForever ? ' every month' : ''}`}
            </>
          )}
        </p>
        <SubmitButton kind="quiet" size="small" intent="remove">
          Remove code
        </SubmitButton>
      </div>
    )
  }
  return (
    <ExpandableDetails isOpen={Boolean(values.code || errors.code)}>
      <summary className="inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2">
        Have a promo code?
      </summary>
      <div className="flex items-end gap-3 pt-2">
        <div className="max-w-60 grow">
          <Field name="code" {...(isDemo ? { hint: 'In this demo FREE20 and SAVE99 are valid.' } : {})}>
            {(control) => (
              <Input
                {...control}
                name="code"
                defaultValue={values.code}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={60}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // Enter applies the code instead of submitting the form.
                  event.preventDefault()
                  const { form } = event.currentTarget
                  form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[value="apply"]'))
                }}
              />
            )}
          </Field>
        </div>
        <SubmitButton kind="secondary" intent="apply">
          Apply
        </SubmitButton>
      </div>
    </ExpandableDetails>
  )
}
