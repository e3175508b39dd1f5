// A process of its own, so that it can have a core of its own: sends what its argument says.
import autocannon from 'autocannon'

const options: unknown = JSON.parse(process.argv[2] ?? 'null')
if (typeof options !== 'object' || options === null) throw new Error('generate-load.ts OPTIONS')
const { connections, seconds, amount, url, requests } = options as {
  connections: number
  seconds: number
  amount?: number
  url: string
  requests: autocannon.Request[]
}
const length = amount === undefined ? { duration: seconds } : { amount }
const result = await autocannon({ url, connections, ...length, requests, timeout: 30 })
const { latency, errors, non2xx } = result
console.log(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    p50: latency.p50,
    p99: latency.p99,
    answered: result['2xx'],
    failed: errors + non2xx,
  }),
)
