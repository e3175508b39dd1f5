import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { browserNeeds, installMissing } from '../../local-cluster/tools/debian-packages.ts'
import { findCommand } from '../../local-cluster/tools/find-command.ts'
import type { Say } from '../../local-cluster/host/progress.ts'

export interface Browser {
  readonly page: Page
  /** Errors that pages wrote to the console, and exceptions that no script caught. */
  readonly errors: string[]
  /** Other messages that pages wrote to the console. */
  readonly messages: readonly string[]
  /** URLs of all requests, those of the browser for itself left out. */
  readonly requested: readonly string[]
  close(): Promise<void>
}

/** Ubuntu has no Debian package of Chromium. */
const otherNames = ['chromium-browser', 'google-chrome-stable', 'google-chrome']

/**
 * Starts Chromium with an empty profile.
 * @param deviceScaleFactor pixels per point of pictures
 * @throws NoCluster where there is none and Debian's cannot be installed
 */
export async function launchBrowser(say: Say, deviceScaleFactor = 1): Promise<Browser> {
  const executablePath = await findBrowser(say)
  const profile = await mkdtemp(path.join(tmpdir(), 'chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    deviceScaleFactor,
    args: [
      // Everything runs as root here, where Chromium's own sandbox refuses to start.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  const errors: string[] = []
  const messages: string[] = []
  const requested: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
    else messages.push(message.text())
  })
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('request', (request) => requested.push(request.url()))
  const page = context.pages()[0] ?? (await context.newPage())
  return {
    page,
    errors,
    messages,
    requested,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

async function findBrowser(say: Say): Promise<string> {
  for (const name of otherNames) {
    const found = await findCommand(name)
    if (found !== undefined) return found
  }
  await installMissing(browserNeeds, say)
  const found = await findCommand('chromium')
  if (found === undefined) throw new Error('chromium is installed, but in no folder of PATH')
  return found
}
