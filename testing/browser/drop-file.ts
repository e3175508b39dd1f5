import type { Page } from 'playwright-core'

/** Drops a file of the disk onto the page, as a user does from a file manager. */
export async function dropFile(page: Page, file: string): Promise<void> {
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'from-disk' }))`,
  )
  await page.locator('#from-disk').setInputFiles(file)
  await page.evaluate(`(() => {
    const from = document.getElementById('from-disk')
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(from.files[0])
    from.remove()
    for (const kind of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
  })()`)
}
