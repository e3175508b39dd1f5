import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js'
import { openSession, profile } from '../shell/session.ts'
import { followHash } from './follow-hash.ts'
import { nameControls } from './name-controls.ts'
import { plugin } from './plugin.ts'
import looks from './reference.css?inline'

/**
 * Shows the calls of the API on the page `/docs/api`.
 * @param parent element of the calls
 * @param note element of a message for the reader
 */
export async function showReference(parent: HTMLElement, note: HTMLElement): Promise<void> {
  const service = new URL('../', location.href)
  const read = await Promise.all([readDescription(service), keyOfConsole(service)]).catch(
    () => null,
  )
  if (read === null) {
    note.textContent = 'The service did not answer. Reload the page to try again.'
    return
  }
  const [description, key] = read
  // The policy allows no style element, and the guides must not load these styles.
  const styles = new CSSStyleSheet()
  styles.replaceSync(looks)
  document.adoptedStyleSheets.push(styles)
  nameControls(parent)
  note.textContent = ''
  const reference = SwaggerUI({
    spec: description,
    domNode: parent,
    // Each call has the schemas that it uses.
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // A validator would get the address of this service.
    validatorUrl: null,
    plugins: [plugin(service)],
    onComplete: () => {
      if (key !== null) reference.preauthorizeApiKey('APIKeyHeader', key)
      followHash(reference, (operation) => {
        note.textContent =
          operation === null ? '' : `The API has no call ${operation}. These are its calls.`
      })
    },
  })
}

/** Calls go to where this page came from, which may be below a path of a proxy. */
async function readDescription(service: URL): Promise<object> {
  const answer = await fetch(new URL('openapi.json', service))
  if (!answer.ok) throw new Error(`openapi.json: ${answer.status}`)
  const description = (await answer.json()) as object
  return { ...description, servers: [{ url: service.href.replace(/\/$/, '') }] }
}

/** @returns null before a sign-in, or where the console keeps its keys in the memory of its tab */
async function keyOfConsole(service: URL): Promise<string | null> {
  const answer = await fetch(new URL('console/config.json', service))
  if (!answer.ok) return null
  const config = (await answer.json()) as { readonly storage_origins?: readonly string[] }
  await openSession(config.storage_origins ?? null)
  return profile.value?.key ?? null
}
