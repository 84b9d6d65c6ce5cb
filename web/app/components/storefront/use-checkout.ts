import { useNavigate, useRevalidator } from '@remix-run/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PaymentStep } from '#core/ports/payment-gateway.ts'
import { useT } from '../../i18n/use-t.tsx'
import { goToField } from './go-to-field.ts'
import { readDraft, saveDraft, storedContentOf } from './order-draft.ts'
import type { OpenOrder, OrderProblem, OrderResponse, Promo } from './order-response.ts'
import { storedTrafficSource } from './stored-source.ts'

/** A payment that has begun and waits for the buyer. */
export interface OpenPayment {
  step: PaymentStep
  order: OpenOrder
}

interface CheckoutOptions {
  /** The storefront's handle, by which the traffic source of the visit is stored. */
  urlKey: string
  /** The name under which the draft of the form is stored. */
  draftName: string
  /** The address that the form is sent to. */
  sendTo: string
  what: 'subscription' | 'issues'
  /** Idempotency key: the form is one order, however often it is sent; the next revalidation returns a new one. */
  formKey: string
  element: RefObject<HTMLFormElement>
  /** The response to a form that the browser posted. */
  answer: OrderResponse | undefined
  onRefused: (problem: OrderProblem | undefined, promo?: Promo | null) => void
  onPromo: (promo: Promo) => void
}

const unreachable: OrderProblem = {
  message: 'The shop cannot be reached at the moment. Nothing you typed is lost.',
  hint: 'Check your connection, then try again: the same order is never taken twice.',
  errors: {},
  values: {},
}

/** The provider is not responding. */
const badGateway = 502

/** What an order form contains, apart from its key and the payment method, which may differ in another attempt at the same order. */
function contentOf(form: HTMLFormElement | null): string {
  const fields = form ? [...new FormData(form)] : []
  return JSON.stringify(fields.filter(([name]) => name !== 'idempotencyKey' && !name.startsWith('payment.')))
}

/** Sends the order form and takes the buyer to the next step: the page after the order, a provider's page, or a dialog. */
export function useCheckout({
  urlKey,
  draftName,
  sendTo,
  what,
  formKey,
  element,
  answer,
  onRefused,
  onPromo,
}: CheckoutOptions) {
  const navigate = useNavigate()
  const { language } = useT()
  const { revalidate, state: revalidatorState } = useRevalidator()
  const [isSending, setSending] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [sentKey, setSentKey] = useState<string | undefined>()
  const [isDeclined, setDeclined] = useState(false)
  const [open, setOpen] = useState<OpenPayment | null>(answer?.kind === 'step' ? answer : null)
  const isBusy = useRef(false)
  /** The content of a form whose order got no response or whose payment could not begin; after a reload, only the stored part of it. */
  const unfinished = useRef<{ content: string; contentOf: typeof contentOf } | null>(null)
  const newKeyCount = useRef(0)
  const openKeys = useRef<readonly string[]>([])
  const key = sentKey ?? formKey
  /** A new key for a changed form: the page itself gets a new key only when it is reloaded. */
  const nextKey = () => (sentKey?.startsWith(formKey) ? `${formKey}-${++newKeyCount.current}` : formKey)

  const send = useCallback(
    async (fields: Record<string, string>, includesForm: boolean): Promise<OrderResponse | null> => {
      const body = includesForm && element.current ? new FormData(element.current) : new FormData()
      for (const [name, value] of Object.entries({
        scripted: 'yes',
        what,
        // Another tab may have chosen another language since.
        language,
        ...storedTrafficSource(urlKey),
        ...fields,
      }))
        body.set(name, value)
      try {
        const response = await fetch(sendTo, {
          method: 'POST',
          body,
          headers: { Accept: 'application/json' },
        })
        const data = (await response.json()) as OrderResponse | { kind?: undefined }
        // If the server failed, its response has no kind. The order may have been stored, so this counts as a lost response.
        return data.kind ? data : null
      } catch {
        return null
      }
    },
    [urlKey, sendTo, what, language, element],
  )

  const handleResponse = useCallback(
    (orderResponse: OrderResponse | null): void => {
      if (!orderResponse) onRefused(unreachable)
      else if (orderResponse.kind === 'done' || orderResponse.kind === 'closed') {
        setLeaving(true)
        navigate(orderResponse.url)
      } else if (orderResponse.kind === 'step') {
        saveDraft(draftName, { open: { orderNumber: orderResponse.order.orderNumber, key: orderResponse.order.key } })
        if (orderResponse.step.kind === 'go') {
          setLeaving(true)
          window.location.assign(orderResponse.step.url)
        } else setOpen(orderResponse)
      } else if (orderResponse.kind === 'refused') {
        setDeclined(orderResponse.status === 402)
        onRefused(orderResponse.problem, orderResponse.promo)
      } else if (orderResponse.kind === 'promo') onPromo(orderResponse.promo)
    },
    [navigate, draftName, onRefused, onPromo],
  )

  /** Runs one task at a time, so that a double click sends one order. */
  const once = useCallback(async (work: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    try {
      await work()
    } finally {
      isBusy.current = false
      setSending(false)
    }
  }, [])

  /** The order fields that depend on the key. */
  const keyFields = (idempotencyKey: string) => ({
    idempotencyKey,
    replaces: openKeys.current.filter((openKey) => openKey !== idempotencyKey).join(),
  })

  /** Renders the response before the page revalidates, because the router restores the scroll position from the start of the revalidation. */
  const renderThenRevalidate = (render: () => void, revalidates = true) => {
    flushSync(render)
    if (revalidates) revalidate()
  }

  const order = (total: string) =>
    once(async () => {
      onRefused(undefined)
      const content = contentOf(element.current)
      const isChanged =
        unfinished.current !== null && unfinished.current.content !== unfinished.current.contentOf(element.current)
      const orderKey = isChanged ? nextKey() : key
      const sent = { key: orderKey, content: storedContentOf(element.current) }
      const fields = keyFields(orderKey)
      const keysBefore = openKeys.current
      openKeys.current = [...keysBefore.filter((openKey) => openKey !== orderKey), orderKey]
      // If the page is reloaded before the response arrives, it sends the same key for the same order.
      saveDraft(draftName, { sent, openKeys: openKeys.current })
      const orderResponse = await send({ intent: 'order', ...fields, total }, true)
      // The order may have been stored, with a reserved use of its promo code and reserved copies: the next attempt continues it, unless the form
      // has been changed by then.
      const isRefused = orderResponse?.kind === 'refused'
      const isUnfinished = !orderResponse || (isRefused && orderResponse.status === badGateway)
      unfinished.current = isUnfinished ? { content, contentOf } : null
      setSentKey(isUnfinished ? orderKey : undefined)
      if (!isUnfinished) {
        openKeys.current = isRefused ? keysBefore : []
        saveDraft(draftName, { sent: undefined, openKeys: openKeys.current })
      }
      if (!orderResponse) return handleResponse(null)
      renderThenRevalidate(() => handleResponse(orderResponse), orderResponse.kind !== 'done')
    })

  /** Places the order that a wallet has filled in; its sheet waits for the response. */
  const orderByWallet = async (fields: Record<string, string>): Promise<OrderResponse | null> => {
    // What the wallet fills in may differ from a form that could not be paid.
    const idempotencyKey = unfinished.current === null ? key : nextKey()
    const orderResponse = await send({ intent: 'order', ...keyFields(idempotencyKey), ...fields }, false)
    if (orderResponse?.kind === 'step') {
      saveDraft(draftName, { open: { orderNumber: orderResponse.order.orderNumber, key: orderResponse.order.key } })
    }
    return orderResponse
  }

  /** A refused code is reported next to its field: no order was sent. Any other refusal, such as too many attempts, is shown above the form. */
  const applyPromo = (promoCode: string) =>
    once(async () => {
      const orderResponse = await send({ intent: 'promo', promoCode }, true)
      if (orderResponse?.kind !== 'refused') return handleResponse(orderResponse)
      const { problem, promo } = orderResponse
      onRefused({ ...problem, isFieldOnly: problem.errors.promoCode !== undefined }, promo)
      if (problem.errors.promoCode) goToField('promoCode')
    })

  /** Cancels an order that will not be paid: its reservations are released, and the next attempt is a new order. */
  const release = useCallback(
    async (which: { orderNumber: string; key: string }) => {
      const orderResponse = await send({ intent: 'cancel', ...which }, false)
      if (orderResponse) saveDraft(draftName, { open: undefined })
      if (orderResponse?.kind === 'done') handleResponse(orderResponse)
      else revalidate()
    },
    [send, handleResponse, revalidate, draftName],
  )

  const closePayment = () => {
    const order = open?.order
    setOpen(null)
    if (order) void once(() => release(order))
  }

  const resume = useRef<() => void>(() => undefined)
  resume.current = () => {
    const draft = readDraft(draftName)
    openKeys.current = draft?.openKeys ?? []
    if (draft?.sent) {
      setSentKey(draft.sent.key)
      unfinished.current = { content: draft.sent.content, contentOf: storedContentOf }
    }
    // Back on the form: the pending order will not be paid.
    const pendingOrder = draft?.open
    if (pendingOrder && !open) void once(() => release(pendingOrder))
  }
  useEffect(() => {
    resume.current()
    // The browser's Back from a provider's page restores this page from the back/forward cache, mid-checkout: it is reset with the draft.
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  return {
    key,
    isPending: isSending || isLeaving || revalidatorState !== 'idle',
    open,
    isDeclined,
    order,
    orderByWallet,
    /** Cancels the order of a declined wallet, and tells the buyer that it was declined. */
    failWallet: (order: OpenOrder) => {
      setDeclined(true)
      void once(() => release(order))
    },
    refuseWallet: (problem: OrderProblem | undefined) => renderThenRevalidate(() => onRefused(problem)),
    applyPromo,
    closePayment,
    closeDeclined: () => setDeclined(false),
    /** The provider reports success: the next page polls the server. */
    finish: (order: OpenOrder) => {
      setLeaving(true)
      navigate(order.successUrl)
    },
  }
}
