import { type ChangeEvent, type FocusEvent, type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import {
  type OrderFormRequirements,
  orderFormProblems,
  type TypedOrder,
} from '#core/orders/order-form-problems.rules.ts'
import { isDelivered, type Product, parsePlanCode } from '#core/pricing/plan-code.rules.ts'
import { deleteOrderDraft, type OrderLink, readDraft, restoreDraft, saveDraft } from './order-draft.ts'
import type { OrderProblem, Promo } from './order-response.ts'
import { readFormValues, valuesBeforeHydration, withoutPersonalFields } from './order-values.ts'
import { deliveryToFill, type OwnProfile, ownValues } from './own-values.ts'
import type { FormState } from './text-field.tsx'

interface OrderFormOptions {
  /** The name under which the draft is stored. */
  draftName: string
  /** The logged-in buyer. */
  buyer: OwnProfile | null
  /** The product of the chosen plan; null for back issues. */
  product: Product | null
  /** The server's errors, when the browser posted the form. */
  refusal: OrderProblem | undefined
  /** The submitted values, when the page was reloaded without an error. */
  values: Record<string, string>
  requirementsOf: (typed: TypedOrder) => OrderFormRequirements
  /** For a subscription: what the address names, and the promo code that is applied. */
  link?: OrderLink
  promo?: Promo | null
  /** Restores what is not a text field: the plan, the payment method, the ticked issues, an applied promo code. */
  onRestore: (values: Record<string, string>, promo?: Promo | null) => void
}

/** Fields that are typed twice: changing the first invalidates its confirmation. */
const confirmFields: Record<string, string> = { email: 'confirmEmail', password: 'confirmPassword' }
const choiceTypes = new Set(['radio', 'checkbox', 'select-one'])

/**
 * The state of an order form. Values stay in the fields themselves (uncontrolled), so that the form works without JavaScript; this reads them
 * after each change and computes what is missing. A field shows its error when it is left wrong after a change, never while it is first
 * typed in, and the error disappears with the keystroke that corrects it.
 */
export function useOrderForm(options: OrderFormOptions) {
  const { draftName, buyer, product, refusal, values, requirementsOf, link, promo, onRestore } = options
  const element = useRef<HTMLFormElement>(null)
  const [start, setStart] = useState(() => ({
    version: 0,
    values: { ...(buyer ? ownValues(buyer, product) : {}), ...values, ...refusal?.values },
  }))
  const [typed, setTyped] = useState<Record<string, string> | null>(null)
  const [shownErrors, setShownErrors] = useState<readonly string[]>([])
  const [refused, setRefused] = useState(refusal)
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const [isRestored, setRestored] = useState(false)
  const isLeaving = useRef(false)
  const focused = useRef<{ name: string; value: string }>({ name: '', value: '' })

  const readFields = useCallback(() => {
    if (!element.current) return
    const current = readFormValues(element.current)
    setTyped((last) => (last && JSON.stringify(last) === JSON.stringify(current) ? last : current))
  }, [])
  // Errors that only the server can find, such as an inapplicable code, block the form until the field is changed.
  const refusedCode = corrected.includes('promoCode') ? undefined : refused?.errors.promoCode
  const problems = typed
    ? {
        ...orderFormProblems(typed, requirementsOf(typed)),
        ...(typed.promoCode && refusedCode ? { promoCode: refusedCode } : {}),
      }
    : null
  const problemNames = Object.keys(problems ?? {}).join()

  /** Sets other values in the fields. */
  const refill = useCallback(
    (next: Record<string, string>, restoredPromo?: Promo | null) => {
      setStart(({ version }) => ({ version: version + 1, values: next }))
      setShownErrors([])
      onRestore(next, restoredPromo)
    },
    [onRestore],
  )
  const refuse = useCallback((problem: OrderProblem | undefined) => {
    setRefused(problem)
    setCorrected([])
  }, [])

  useEffect(() => refuse(refusal), [refusal, refuse])
  // Every render may have changed the fields: a plan with delivery, another country's prices.
  useEffect(readFields)
  const hadForm = useRef(false)
  useEffect(() => {
    // If nothing is sold in the chosen country, the page has no form: the next form begins with what was typed.
    if (hadForm.current && !element.current && typed)
      setStart(({ version, values: startValues }) => ({ version, values: { ...startValues, ...typed } }))
    hadForm.current = element.current !== null
  })
  useEffect(() => {
    // A corrected field shows an error again only after it has been left with a wrong value once more.
    const failing = problemNames.split(',')
    setShownErrors((names) =>
      names.every((name) => failing.includes(name)) ? names : names.filter((name) => failing.includes(name)),
    )
  }, [problemNames])

  const buyerId = buyer?.id ?? null
  const lastBuyerId = useRef<number | null | undefined>(undefined)
  /** The account's values, whatever is ordered, stored with the draft so that a later change of the account takes precedence. */
  const filledAccount = useRef<Record<string, string>>({})
  /** The product whose delivery address is filled in. */
  const deliveredProduct = useRef(product)
  const fillDelivery = () => {
    const form = element.current
    if (!form || !buyer || !product || !isDelivered(product) || deliveredProduct.current === product) return
    deliveredProduct.current = product
    // `typed` does not have the newly chosen plan yet.
    const current = readFormValues(form)
    const delivery = deliveryToFill(buyer, product, current)
    if (delivery) refill({ ...current, ...delivery })
  }
  // Restores once there is a form, and fills in or clears the details after a log-in or log-out.
  useEffect(() => {
    const form = element.current
    if (lastBuyerId.current === buyerId) return fillDelivery()
    if (lastBuyerId.current === undefined && !form) return
    const accountValues = buyer ? ownValues(buyer, null) : {}
    if (lastBuyerId.current === undefined && form) {
      const draft = refusal ? null : readDraft(draftName)
      const earlyValues = valuesBeforeHydration(form)
      if (draft) {
        const restored = restoreDraft(draft, { buyerId, accountValues, link: link ?? {} })
        refill({ ...start.values, ...restored.values, ...earlyValues }, restored.promo)
        const draftPlan = restored.isAccountChanged ? null : parsePlanCode(draft.values.plan ?? '')
        deliveredProduct.current = draftPlan?.product ?? null
        setRestored(restored.hasTypedValues)
      } else if (Object.keys(earlyValues).length > 0) onRestore(earlyValues)
    } else if (buyer) {
      refill({ ...typed, ...ownValues(buyer, product) })
      deliveredProduct.current = product
    } else if (isLeaving.current) {
      deleteOrderDraft(draftName)
      refill(withoutPersonalFields(typed ?? {}))
    }
    isLeaving.current = false
    filledAccount.current = accountValues
    lastBuyerId.current = buyerId
  })
  const { plan: linkedPlan, promo: linkedCode } = link ?? {}
  const isLinked = link !== undefined
  useEffect(() => {
    if (!typed) return
    const bought = isLinked ? { link: { plan: linkedPlan, promo: linkedCode }, promo } : {}
    saveDraft(draftName, { values: typed, buyerId, accountValues: filledAccount.current, ...bought })
  }, [typed, draftName, buyerId, isLinked, linkedPlan, linkedCode, promo])

  const errors: FieldPhrases = {
    ...Object.fromEntries(Object.entries(problems ?? {}).filter(([name]) => shownErrors.includes(name))),
    ...Object.fromEntries(Object.entries(refused?.errors ?? {}).filter(([name]) => !corrected.includes(name))),
  }
  const refusedFields = Object.keys(refused?.errors ?? {})
  const isCorrected = refusedFields.length > 0 && refusedFields.every((name) => corrected.includes(name))
  const form: FormState = { errors, values: start.values }

  const reveal = (name: string) => {
    if (name) setShownErrors((names) => (names.includes(name) ? names : [...names, name]))
  }
  const markCorrected = (name: string) => {
    const group = name.startsWith('payment.') ? ['payment', name] : [name]
    if (group.some((field) => refused?.errors[field])) setCorrected((names) => [...names, ...group])
  }
  return {
    form,
    element,
    typed,
    /** The missing fields; null before the page's script runs. */
    problems,
    version: start.version,
    /** Whether an earlier draft was restored, as after returning from a provider's page, except for what is never stored. */
    isRestored,
    /** The errors that still apply. */
    refused: isCorrected ? undefined : refused,
    refuse,
    refill,
    /** Shows all errors, because the buyer pressed Enter. */
    showAll: () => setShownErrors(Object.keys(problems ?? {})),
    /** Call before a log-out: the next change of buyer then clears the personal details. */
    leave: () => {
      isLeaving.current = true
    },
    listeners: {
      onInput: ({ target }: FormEvent<HTMLFormElement>) => {
        readFields()
        markCorrected((target as HTMLInputElement).name)
      },
      onChange: ({ target }: ChangeEvent<HTMLFormElement>) => {
        const field = target as unknown as HTMLInputElement
        if (choiceTypes.has(field.type)) reveal(field.name)
      },
      onFocus: ({ target }: FocusEvent<HTMLFormElement>) => {
        const { name = '', value = '' } = target as unknown as HTMLInputElement
        focused.current = { name, value }
      },
      onBlur: ({ target }: FocusEvent<HTMLFormElement>) => {
        const { name, value } = target as unknown as HTMLInputElement
        if (focused.current.name !== name || focused.current.value === value) return
        reveal(name)
        const confirmField = confirmFields[name]
        if (confirmField && typed?.[confirmField]) reveal(confirmField)
      },
    },
  }
}
