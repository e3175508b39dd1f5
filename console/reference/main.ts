import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js'
import { openSession, profile } from '../shell/session.ts'
import { nameControls } from './name-controls.ts'
import { plugin } from './plugin.ts'

const service = new URL('../../', import.meta.url)

followTheme()
const [description, key] = await Promise.all([readDescription(), keyOfConsole()])
const parent = document.getElementById('api')
if (parent !== null) nameControls(parent)
const reference = SwaggerUI({
  spec: description,
  dom_id: '#api',
  deepLinking: true,
  // Each call has the schemas that it uses.
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // A validator would get the address of this service.
  validatorUrl: null,
  plugins: [plugin(service)],
  onComplete: () => key !== null && reference.preauthorizeApiKey('APIKeyHeader', key),
})

/** Calls go to where this page came from, which may be below a path of a proxy. */
async function readDescription(): Promise<object> {
  const answer = await fetch(new URL('openapi.json', service))
  const description = (await answer.json()) as object
  return { ...description, servers: [{ url: service.href.replace(/\/$/, '') }] }
}

/** @returns null before a sign-in, or where the console keeps its keys in the memory of its tab */
async function keyOfConsole(): Promise<string | null> {
  const answer = await fetch(new URL('console/config.json', service))
  if (!answer.ok) return null
  const config = (await answer.json()) as { readonly storage_origins?: readonly string[] }
  await openSession(config.storage_origins ?? null)
  return profile.value?.key ?? null
}

/** The choice of the guides holds here too. */
function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto'
    const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches)
    document.documentElement.classList.toggle('dark-mode', isDark)
  }
  dark.addEventListener('change', apply)
  apply()
}
