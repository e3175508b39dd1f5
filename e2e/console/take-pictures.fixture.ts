import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compressedPng } from './png.fixture.ts'
import { startConsole } from './console.fixture.ts'
import { seedCommands } from './seed-commands.fixture.ts'

const size = { width: 1_280, height: 800 } as const
const mostBytes = 300 * 1_024

/**
 * Takes the pictures of the README, light and dark, with two pixels per point.
 * @returns the text of the page
 * @throws if a picture is larger than a README should load
 */
export async function takePictures(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const at = await startConsole({ deviceScaleFactor: 2 })
  try {
    await seedCommands(at.app)
    await at.page.setViewportSize(size)
    await at.open()
    await at.page.getByText('71 %').waitFor()
    await at.page.getByText('16 of 16 vCPUs in use').waitFor()
    await at.page.locator('.dot.on').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const file = path.join(folder, `console-${colorScheme}.png`)
      const png = compressedPng(await at.page.screenshot({ scale: 'device' }))
      if (png.length > mostBytes) {
        throw new Error(`${file} must have at most ${mostBytes} bytes; got ${png.length}`)
      }
      await writeFile(file, png)
    }
    return await at.page.locator('body').innerText()
  } finally {
    await at.close()
  }
}
