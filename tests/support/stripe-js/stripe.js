// A fake Stripe.js (release "endive"), served by ../stripe-js.ts. Fields are in frames of js.stripe.com like the real ones;
// payments go to the fake API by the same calls. Misuse that the real one refuses is refused here, too.
;(() => {
  const apiUrl = '{apiUrl}'
  const { IntegrationError, promptInOverlay, makeElement } = window.fakeStripe

  /** Form fields in Stripe's encoding: `payment_method_data[card][number]`. */
  function formOf(fields) {
    const form = new URLSearchParams()
    const add = (name, value) => {
      if (value === undefined || value === null) return
      if (typeof value !== 'object') form.append(name, String(value))
      else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    }
    for (const [name, value] of Object.entries(fields)) add(name, value)
    return form
  }

  function makeElements(api, options) {
    if ('paymentMethodTypes' in options)
      throw new IntegrationError('paymentMethodTypes is no longer supported. Use allowedPaymentMethodTypes.')
    if (!options.clientSecret && !options.mode)
      throw new IntegrationError('In order to create an Elements instance, you must pass a clientSecret or a mode.')
    if (options.mode === 'payment' && !(Number.isInteger(options.amount) && options.currency))
      throw new IntegrationError('mode "payment" needs an amount and a currency.')
    const created = []
    const elements = {
      options: { ...options },
      isSubmitted: false,
      async types() {
        if (!options.clientSecret) return options.allowedPaymentMethodTypes ?? ['card']
        return (await api.retrieve(options.clientSecret)).payment_method_types
      },
      create(type, elementOptions = {}) {
        if (type !== 'payment' && type !== 'expressCheckout')
          throw new IntegrationError(`The fake Stripe.js has no ${type} element.`)
        if (elements.getElement(type)) throw new IntegrationError(`Can only create one Element of type ${type}.`)
        const element = makeElement(type, { ...elementOptions }, elements)
        created.push(element)
        return element
      },
      getElement: (type) => created.find((element) => element.type === type) ?? null,
      forget: (element) => created.splice(created.indexOf(element), 1),
      update: (changes) => Object.assign(elements.options, changes),
      fetchUpdates: async () => ({}),
      async submit() {
        const entered = await elements.method()
        if (entered.error) return { error: entered.error }
        elements.isSubmitted = true
        return { selectedPaymentMethod: entered.method.type }
      },
      /** What a confirmation sends of the typed method, or of the wallet's. */
      async method() {
        const wallet = elements.getElement('expressCheckout')
        if (wallet?.walletCard) return { method: wallet.walletCard }
        const payment = elements.getElement('payment')
        if (!payment) throw new IntegrationError('Elements has no Payment Element.')
        const { details, problem } = await payment.details()
        if (problem) return { error: { type: 'validation_error', message: `Your ${problem} is incomplete.` } }
        const [type] = await elements.types()
        const { expiry = '', ...otherDetails } = details
        const expires = type === 'card' ? { exp_month: expiry.slice(0, -2), exp_year: expiry.slice(-2) } : {}
        return { method: { type, [type]: { ...otherDetails, ...expires } } }
      },
    }
    return elements
  }

  function makeApi(key) {
    async function send(method, path, fields) {
      const form = formOf({ key, ...fields })
      const url = `${apiUrl}/v1/${path}${method === 'GET' ? `?${form}` : ''}`
      try {
        const response = await fetch(url, method === 'GET' ? {} : { method, body: form })
        const body = await response.json()
        return body.error ? { error: body.error } : { value: body }
      } catch {
        return { error: { type: 'api_connection_error', message: 'Could not connect to Stripe.' } }
      }
    }
    const pathOf = (clientSecret) => {
      const id = clientSecret.split('_secret_')[0]
      return `${id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${id}`
    }
    return {
      send,
      pathOf,
      async retrieve(clientSecret) {
        const { value, error } = await send('GET', pathOf(clientSecret), { client_secret: clientSecret })
        if (error) throw new IntegrationError(error.message)
        return value
      },
    }
  }

  function Stripe(key) {
    if (typeof key !== 'string' || !key.startsWith('pk_'))
      throw new IntegrationError('Please call Stripe() with your publishable key.')
    const api = makeApi(key)

    async function confirm({ elements, clientSecret, confirmParams = {}, redirect = 'always' }, resultName) {
      const secret = clientSecret ?? elements?.options.clientSecret
      if (!secret) throw new IntegrationError('A client secret is needed to confirm.')
      if (redirect !== 'if_required' && !confirmParams.return_url)
        throw new IntegrationError('You must provide a `return_url`.')
      if (elements && !elements.options.clientSecret && !elements.isSubmitted)
        throw new IntegrationError('elements.submit() must be called before it is confirmed.')
      const entered = elements && !confirmParams.payment_method ? await elements.method() : {}
      if (entered.error) return { error: entered.error }
      const { payment_method_data: billing, ...otherParams } = confirmParams
      const method = entered.method ? { payment_method_data: { ...billing, ...entered.method } } : {}
      let { value, error } = await api.send('POST', `${api.pathOf(secret)}/confirm`, {
        client_secret: secret,
        ...otherParams,
        ...method,
      })
      if (value?.status === 'requires_action') {
        const outcome = await promptInOverlay('challenge')
        ;({ value, error } = await api.send('POST', `${api.pathOf(secret)}/challenge`, {
          client_secret: secret,
          outcome,
        }))
      }
      if (error) return { error }
      if (redirect === 'if_required') return { [resultName]: value }
      const back = new URL(confirmParams.return_url)
      const name = resultName === 'setupIntent' ? 'setup_intent' : 'payment_intent'
      back.searchParams.set(name, value.id)
      back.searchParams.set(`${name}_client_secret`, secret)
      back.searchParams.set('redirect_status', value.status === 'requires_payment_method' ? 'failed' : 'succeeded')
      window.location.assign(back.href)
      return new Promise(() => {})
    }

    return {
      elements: (options = {}) => makeElements(api, options),
      confirmPayment: (options) => confirm(options, 'paymentIntent'),
      confirmSetup: (options) => confirm(options, 'setupIntent'),
      async retrievePaymentIntent(clientSecret) {
        const { value, error } = await api.send('GET', api.pathOf(clientSecret), { client_secret: clientSecret })
        return error ? { error } : { paymentIntent: value }
      },
      async createPaymentMethod({ elements, params = {} }) {
        if (elements.options.paymentMethodCreation !== 'manual')
          throw new IntegrationError('Elements must be created with paymentMethodCreation: "manual".')
        if (!elements.isSubmitted)
          throw new IntegrationError('elements.submit() must be called before stripe.createPaymentMethod().')
        const { method, error: problem } = await elements.method()
        if (problem) return { error: problem }
        const { value, error } = await api.send('POST', 'payment_methods', { ...params, ...method })
        return error ? { error } : { paymentMethod: value }
      },
    }
  }
  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
