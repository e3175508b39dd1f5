import path from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../testing/browser/launch-browser.ts'
import { drawDashboard } from './dashboard/draw/draw-dashboard.ts'
import { rangeOf } from './dashboard/draw/query-range.ts'
import { rows } from './dashboard/rows.ts'

/**
 * `npm run dashboard -- --prometheus URL`: pictures of the chart's dashboard from the answers of a Prometheus, to look at
 * before a release.
 */
const { values } = parseArgs({
  options: {
    prometheus: { type: 'string', default: 'http://127.0.0.1:9090' },
    namespace: { type: 'string', default: 'cloud-ffmpeg' },
    release: { type: 'string', default: 'cloud-ffmpeg' },
    minutes: { type: 'string', default: '60' },
    folder: { type: 'string', default: '.test-artifacts/dashboard' },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes}: use a number above 0`)
const browser = await launchBrowser(console.error)
try {
  const files = await drawDashboard(browser, rows, {
    prometheus: values.prometheus,
    namespace: values.namespace,
    release: values.release,
    range: rangeOf(Date.now() / 1000, minutes * 60),
    folder: path.resolve(values.folder),
  })
  console.log(files.join('\n'))
} finally {
  await browser.close()
}
