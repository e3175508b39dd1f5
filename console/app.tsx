import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CommandPage } from './command/command-page.tsx'
import { CommandsPage } from './commands/commands-page.tsx'
import { lazy } from './parts/lazy.tsx'
import { ConfirmDialog } from './parts/confirm.tsx'
import { notice } from './parts/notices.ts'
import { followEnds } from './command/tell-when-ended.tsx'
import { followProgress } from './shell/follow-progress.ts'
import { followUsage } from './shell/follow-usage.ts'
import { followLive } from './shell/live.ts'
import { colourClass, Nav } from './shell/nav.tsx'
import { href, route } from './shell/navigation.ts'
import { client, config, usage } from './shell/service.ts'
import { trouble } from './shell/trouble.ts'
import { profile, refusedKey } from './shell/session.ts'
import { ShortcutHelp } from './shell/shortcuts.tsx'
import { TroubleBar } from './shell/trouble-bar.tsx'
import { Register } from './sign-in/register.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

/** Parts that the first load does without. */
const PlaygroundPage = lazy(async () => {
  const { PlaygroundPage: Loaded } = await import('./playground/playground-page.tsx')
  return Loaded
})

const FilesPage = lazy(async () => {
  const { FilesPage: Loaded } = await import('./files/files-page.tsx')
  return Loaded
})
const WebhooksPage = lazy(async () => {
  const { WebhooksPage: Loaded } = await import('./webhooks/webhooks-page.tsx')
  return Loaded
})

const UsagePage = lazy(async () => {
  const { UsagePage: Loaded } = await import('./usage/usage-page.tsx')
  return Loaded
})

const KeysPage = lazy(async () => {
  const { KeysPage: Loaded } = await import('./keys/keys-page.tsx')
  return Loaded
})

const SettingsPage = lazy(async () => {
  const { SettingsPage: Loaded } = await import('./settings/settings-page.tsx')
  return Loaded
})

export function App() {
  const isAdding = useSignal(false)
  const active = profile.value
  const api = client.value
  useEffect(() => {
    usage.value = null
    if (api === null) return undefined
    const ends = [
      followProgress(),
      followEnds(api),
      followLive(api),
      followUsage(api, (found) => (usage.value = found)),
    ]
    return () => ends.forEach((end) => end())
  }, [api])
  if (active === null || api === null) {
    return (
      <main class="alone">
        <TroubleBar />
        <SignIn />
        {config.value?.registration && <Register />}
      </main>
    )
  }
  const isOld = trouble.value !== null && trouble.value.kind !== 'rate'
  return (
    <div class={`shell ${colourClass(active.colour)} ${isOld ? 'old' : ''}`}>
      <div class="colour-bar" />
      <Nav add={() => (isAdding.value = true)} />
      <main class="main">
        <TroubleBar />
        {(refusedKey.value || isAdding.value) && (
          <section class="ask-key" aria-label="Key">
            {refusedKey.value && (
              <p class="problem">
                The service no longer accepts this key. What you see is from before.
              </p>
            )}
            <SignIn
              done={() => {
                isAdding.value = false
              }}
            />
            {isAdding.value && (
              <button type="button" class="button quiet" onClick={() => (isAdding.value = false)}>
                Go back
              </button>
            )}
          </section>
        )}
        <Page key={active.id} />
      </main>
      <ConfirmDialog />
      <ShortcutHelp />
      <Notices />
    </div>
  )
}

function Notices() {
  return (
    <div class="notices" role="status">
      {notice.value && (
        <p class={notice.value.bad ? 'notice bad' : 'notice'}>{notice.value.text}</p>
      )}
    </div>
  )
}

function Page() {
  const api = client.value
  if (api === null) return null
  const at = route.value
  switch (at.page) {
    case 'commands':
      return <CommandsPage client={api} query={at.query} />
    case 'command':
      return <CommandPage key={at.id} client={api} id={at.id} />
    case 'playground':
      return <PlaygroundPage client={api} profileId={profile.value?.id ?? ''} from={at.from} />
    case 'files':
      return <FilesPage client={api} profileId={profile.value?.id ?? ''} query={at.query} />
    case 'webhooks':
      return <WebhooksPage client={api} query={at.query} />
    case 'usage':
      return <UsagePage client={api} query={at.query} />
    case 'keys':
      return <KeysPage client={api} />
    case 'settings':
      return <SettingsPage client={api} />
    case 'unknown':
      return (
        <div class="instead">
          <h1>No such page</h1>
          <p>This console has no page {at.path}.</p>
          <a class="button" href={href({ page: 'commands', query: new URLSearchParams() })}>
            Commands
          </a>
        </div>
      )
  }
}
