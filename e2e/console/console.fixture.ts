import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import axe from 'axe-core'
import { expect } from 'chai'
import { useResource } from '../../testing/support/mocha.ts'
import { patienceMs } from '../../testing/support/until.ts'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import { noStorage, startTestApp } from '../../testing/support/api/app.ts'
import { startSender } from '../../api-server/webhooks/sender.fixture.ts'
import { createFileUrls } from '../../api-server/files/file-urls.ts'
import { startFilesApp } from '../../testing/support/api/files.ts'
import { openTestBucket } from '../../testing/support/object-store.ts'
import { bundleConsole } from '../../images/console-bundle.ts'
import { builtDocs } from '../../images/docs-bundle.ts'
import { startStorage } from './storage.fixture.ts'
import type { Page } from 'playwright-core'
import type { ApiObjectStore } from '../../api-server/files/lazy-object-store.ts'
import type { SendNow } from '../../api-server/webhooks/one-delivery.ts'
import type { AppOptions, TestApp } from '../../testing/support/api/app.ts'
import type { ObjectStoreOptions } from '../../common/storage/object-store.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import type { TestStorage } from './storage.fixture.ts'

/** The console in a browser, on the API server over a database of its own. */
export interface TestConsole {
  readonly app: TestApp
  readonly storage: TestStorage
  /** Bucket of uploads and outputs; null if `storage` has the objects. */
  readonly bucket: ObjectStoreOptions | null
  readonly browser: Browser
  readonly page: Page
  /** Opens a page below `/console/` with this key in the tab. */
  open(page?: string, key?: string): Promise<void>
  /**
   * Reads the page by axe-core, light and dark, on a phone, a tablet and a desktop, and saves a picture
   * of each as `.test-artifacts/console/NAME-…png`.
   * @param devices all, unless some are named
   * @param schemes both, unless one is named
   */
  look(name: string, devices?: readonly Device[], schemes?: readonly Scheme[]): Promise<void>
  /** That nothing went wrong in the browser, and nothing was loaded from elsewhere. */
  expectSilence(): void
}

const root = path.resolve(import.meta.dirname, '../..')
const pictures = path.join(root, '.test-artifacts/console')

export const widths = { phone: 390, tablet: 768, laptop: 1_200, desktop: 1_440 } as const
type Device = keyof typeof widths
const allDevices = ['phone', 'tablet', 'laptop', 'desktop'] as const
const allSchemes = ['light', 'dark'] as const
type Scheme = (typeof allSchemes)[number]

interface ConsoleOptions {
  /** Given for an installation where people make accounts themselves. */
  readonly registration?: AppOptions['registration']
  /** On a real S3 server, in place of one that has a picture for each object. */
  readonly withBucket?: boolean
  readonly deviceScaleFactor?: number
  /** Deliveries of webhooks are attempted, to receivers on this machine. */
  readonly sendsWebhooks?: boolean
}

export function useConsole(options: ConsoleOptions = {}): TestConsole {
  return useResource(() => startConsole(options))
}

/** The same outside of tests; the caller closes it. */
export async function startConsole({
  registration = null,
  withBucket = false,
  deviceScaleFactor = 1,
  sendsWebhooks = false,
}: ConsoleOptions): Promise<TestConsole & { close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console-'))
  await bundleConsole(path.join(folder, 'static'))
  const storage = await startStorage()
  const bucket = withBucket ? await openTestBucket() : null
  const storageOrigin = bucket === null ? storage.url : new URL(bucket.endpoint ?? '').origin
  const console_ = {
    folder: path.join(folder, 'static'),
    storageOrigins: [storageOrigin],
    registration: registration !== null,
    selfServiceKeys: true,
    keyHelp: 'Ask in the room of the platform team.',
  }
  let sendNow: SendNow = () => undefined
  const shared: Partial<AppOptions> = {
    console: console_,
    registration,
    docsFolder: await builtDocs(),
    sendNow: (delivery, claimedMs) => sendNow(delivery, claimedMs),
  }
  const app =
    bucket === null
      ? await startTestApp({
          ...shared,
          objects: objectsOf(storage),
          fileUrls: fileUrlsOf(storage),
        })
      : await startFilesApp(shared, undefined, bucket)
  const sender = sendsWebhooks ? startSender(app.store) : null
  sendNow = sender?.sendNow ?? sendNow
  const browser = await launchBrowser((line) => console.log(`  ${line}`), deviceScaleFactor)
  const { page } = browser
  page.setDefaultTimeout(patienceMs)
  await page.setViewportSize({ width: widths.desktop, height: 900 })
  const origins = [new URL(app.url).origin, storageOrigin]
  return {
    app,
    storage,
    bucket,
    browser,
    page,
    async open(below = '', key = app.key) {
      await page.goto(`${app.url}/console/${below}#key=${key}`)
      await page.getByRole('navigation', { name: 'Console' }).waitFor()
    },
    look: (name, devices = allDevices, schemes = allSchemes) => look(page, name, devices, schemes),
    expectSilence() {
      expect(browser.errors, 'errors').to.deep.equal([])
      expect(browser.messages, 'messages').to.deep.equal([])
      const others = browser.requested
        .filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))
        .filter((url) => !origins.includes(new URL(url).origin))
      expect(others, 'requests to other origins').to.deep.equal([])
      expect(browser.requested.join('\n'), 'a key in a URL').not.to.match(/key=|key-of/)
    },
    async close() {
      await browser.close()
      await sender?.stop()
      await app.close()
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function fileUrlsOf({ url }: TestStorage) {
  let signatures = 0
  return createFileUrls({
    publicBaseUrl: url,
    presign: async (key) => `${url}/${key}?signature=${++signatures}`,
  })
}

/** The store signs nothing, since the storage refuses nothing. */
function objectsOf({ url, objects }: TestStorage): ApiObjectStore {
  return {
    ...noStorage,
    head: async (key) => ({ sizeBytes: objects.get(key)?.length ?? 0, etag: '' }),
    readBytes: async ({ key }) => objects.get(key) ?? null,
    presignGets: async (keys) => keys.map((key) => `${url}/${key}`),
    presignGet: async ({ key, saveAs }) => {
      const address = new URL(`${url}/${key}`)
      if (saveAs !== undefined) {
        const disposition = `attachment; filename="${saveAs}"`
        address.searchParams.set('response-content-disposition', disposition)
      }
      return address.href
    },
  }
}

async function look(
  page: Page,
  name: string,
  devices: readonly Device[],
  schemes: readonly Scheme[],
): Promise<void> {
  await mkdir(pictures, { recursive: true })
  const size = page.viewportSize()
  const problems: string[] = []
  for (const device of devices) {
    const width = widths[device]
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = path.join(pictures, `${name}-${device}-${colorScheme}.png`)
      await page.screenshot({ path: file })
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide, `${name} on ${device} scrolls sideways`).to.be.at.most(width)
      problems.push(...(await inaccessible(page, `${device}, ${colorScheme}`)))
    }
  }
  expect(problems, name).to.deep.equal([])
  if (size !== null) await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: 'light' })
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Violations that axe-core finds by the rules that it has on: WCAG 2.1 AA and best practice. */
async function inaccessible(page: Page, label: string): Promise<string[]> {
  // The debugger evaluates it, which the page's policy does not cover.
  await page.evaluate(axe.source)
  const violations = (await page.evaluate(
    // The rule of WCAG 2.2 about the size of targets is off unless it is named.
    'axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then((result) => result.violations)',
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${label}: ${id}: ${html} ${failureSummary}`),
  )
}
