// The frames and fields of the fake Stripe.js (stripe.js), for one of its elements.
;(() => {
  const wallets = '{wallets}'.split(',').filter(Boolean)
  const frameUrl = 'https://js.stripe.com/standin/element.html'
  let lastId = 0

  class IntegrationError extends Error {
    name = 'IntegrationError'
  }

  /** A frame on js.stripe.com that reports its events. */
  function openFrame(parent, part, onEvent) {
    const frame = `frame-${++lastId}`
    const element = document.createElement('iframe')
    element.name = `__privateStripe${frame}`
    element.title = part.kind === 'payment' ? 'Secure payment input frame' : 'Secure payment frame'
    element.src = `${frameUrl}#${new URLSearchParams({ ...part, frame })}`
    element.style.cssText =
      part.kind === 'challenge' || part.kind === 'sheet' ? overlay : 'width:100%;border:0;height:60px'
    const stopListening = () => window.removeEventListener('message', listen)
    const listen = ({ data }) => {
      if (data?.frame !== frame) return
      if (data.event === 'ready' && !element.style.position) element.style.height = `${data.payload.height + 8}px`
      onEvent(data.event, data.payload)
    }
    window.addEventListener('message', listen)
    parent.append(element)
    return {
      ask: (ask, id) => element.contentWindow?.postMessage({ ask, id }, '*'),
      close: () => {
        stopListening()
        element.remove()
      },
      /** Ends the frame from within: a removed frame may never report to the browser that its click was handled, and the click would not end. */
      hide: () => {
        stopListening()
        element.title = ''
        element.style.visibility = 'hidden'
      },
    }
  }

  const overlay =
    'position:fixed;inset:0;margin:auto;width:320px;height:200px;border:1px solid #888;z-index:2147483647;background:#fff'

  /** A window of the bank or the wallet over the page; returns the pressed button. */
  function promptInOverlay(kind) {
    return new Promise((resolve) => {
      const frame = openFrame(document.body, { kind }, (event, { name }) => {
        if (event !== 'press') return
        frame.hide()
        resolve(name)
      })
    })
  }

  function makeElement(type, options, group) {
    const handlers = {}
    const pending = new Map()
    let frame
    let isGone = false
    const emit = (event, payload = {}) => {
      for (const handler of handlers[event] ?? []) handler({ elementType: type, ...payload })
    }

    function onFrameEvent(event, payload) {
      if (event === 'details') pending.get(payload.ask)?.(payload)
      else if (event === 'press') void buyByWallet(payload.name)
      else if (event === 'ready' && type === 'expressCheckout')
        emit('ready', { availablePaymentMethods: Object.fromEntries(wallets.map((name) => [name, true])) })
      else emit(event, payload)
    }

    /** The page has to resolve the click, then the wallet's own sheet asks, then the page confirms. */
    async function buyByWallet(name) {
      const paymentType = { applePay: 'apple_pay', googlePay: 'google_pay' }[name] ?? name
      const resolved = await new Promise((resolve) => {
        if (!handlers.click?.length) resolve({})
        emit('click', {
          expressPaymentType: paymentType,
          resolve: (details = {}) => resolve(details),
          reject: () => resolve(null),
        })
      })
      if (!resolved) return
      if ((await promptInOverlay('sheet')) === 'cancel') return emit('cancel')
      const settings = { ...options, ...resolved }
      const address = {
        line1: '1 Quay Street',
        line2: null,
        city: 'London',
        state: '',
        postal_code: 'SW1A 1AA',
        country: 'GB',
      }
      const deliveryAddress = { ...address, line1: '9 Harbour Row', city: 'Falmouth', postal_code: 'TR11 3LH' }
      element.walletCard = {
        type: 'card',
        card: { number: '4242424242424242', exp_month: '12', exp_year: '34', cvc: '123' },
      }
      emit('confirm', {
        expressPaymentType: paymentType,
        billingDetails: {
          name: 'Ann Wallet',
          address,
          ...(settings.emailRequired ? { email: 'ann.wallet@example.test' } : {}),
          ...(settings.phoneNumberRequired ? { phone: '07700 900123' } : {}),
        },
        ...(settings.shippingAddressRequired
          ? { shippingAddress: { name: 'Tom Reed', address: deliveryAddress } }
          : {}),
        paymentFailed: () => {},
      })
    }

    const element = {
      type,
      mount(target) {
        const parent = typeof target === 'string' ? document.querySelector(target) : target
        if (!parent)
          throw new IntegrationError(
            `The selector you specified (${target}) applies to no DOM elements that are currently on the page.`,
          )
        if (type === 'expressCheckout' && wallets.length === 0) {
          setTimeout(() => emit('ready', { availablePaymentMethods: undefined }))
          return element
        }
        void group.types().then((types) => {
          if (isGone) return
          const part = type === 'payment' ? { kind: 'payment', type: types[0] } : { kind: 'wallets', wallets }
          frame = openFrame(parent, part, onFrameEvent)
        })
        return element
      },
      on(event, handler) {
        handlers[event] = [...(handlers[event] ?? []), handler]
        return element
      },
      once(event, handler) {
        const handleOnce = (payload) => {
          element.off(event, handleOnce)
          handler(payload)
        }
        return element.on(event, handleOnce)
      },
      off(event, handler) {
        handlers[event] = handler ? (handlers[event] ?? []).filter((other) => other !== handler) : []
        return element
      },
      update(changes) {
        Object.assign(options, changes)
        return element
      },
      unmount() {
        frame?.close()
        frame = undefined
        return element
      },
      destroy() {
        isGone = true
        element.unmount()
        group.forget(element)
      },
      focus: () => frame?.ask('focus'),
      blur: () => {},
      clear: () => frame?.ask('clear'),
      collapse: () => element,
      /** The typed details, or what is wrong with them. */
      details() {
        if (!frame) throw new IntegrationError('The Payment Element must be mounted before it is used.')
        const id = ++lastId
        return new Promise((resolve) => {
          pending.set(id, resolve)
          frame.ask('details', id)
        })
      },
    }
    return element
  }

  window.fakeStripe = { IntegrationError, promptInOverlay, makeElement }
})()
