/** undici has types of its entry alone. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/api/index.js' {
  import type { Dispatcher } from 'undici'
  const api: {
    request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  }
  export default api
}
