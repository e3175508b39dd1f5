import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from './controls/button.tsx'
import { ConfirmDialog } from './parts/confirm.tsx'
import { notice } from './parts/notices.ts'
import { followEnds } from './command/tell-when-ended.tsx'
import { followProgress } from './shell/follow-progress.ts'
import { followUsage } from './shell/follow-usage.ts'
import { followLive } from './shell/live.ts'
import { colourClass, Nav } from './shell/nav.tsx'
import { href, route } from './shell/navigation.ts'
import { client, config, takeUsage, usage } from './shell/service.ts'
import { trouble } from './shell/trouble.ts'
import { profile, refusedKey } from './shell/session.ts'
import { ShortcutHelp } from './shell/shortcuts.tsx'
import { TroubleBar } from './shell/trouble-bar.tsx'
import { lazy } from './parts/lazy.tsx'
import { pages } from './pages.ts'
import type { ConsolePage } from './pages.ts'

/** Most visits have a key already: the first load leaves out the forms. */
const SignIn = lazy(async () => (await import('./sign-in/sign-in.tsx')).SignIn)
const Register = lazy(async () => (await import('./sign-in/register.tsx')).Register)

export function App() {
  const isAdding = useSignal(false)
  const active = profile.value
  const api = client.value
  useEffect(() => {
    usage.value = null
    if (api === null) return undefined
    const ends = [followProgress(), followEnds(api), followLive(api), followUsage(api, takeUsage)]
    return () => ends.forEach((end) => end())
  }, [api])
  if (active === null || api === null) {
    return (
      <main class="alone column middle">
        <TroubleBar />
        <SignIn />
        {config.value?.registration && <Register />}
      </main>
    )
  }
  const kind = trouble.value?.kind
  const isOld = kind === 'no-answer' || kind === 'unavailable'
  return (
    <div class={`shell ${colourClass(active.colour)} ${isOld ? 'old' : ''}`}>
      <div class="colour-bar" />
      <Nav pages={pages} add={() => (isAdding.value = true)} />
      <main class="main column">
        <TroubleBar />
        {(refusedKey.value || isAdding.value) && (
          <section class="column middle" aria-label="Key">
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
              <Button look="quiet" onClick={() => (isAdding.value = false)}>
                Go back
              </Button>
            )}
          </section>
        )}
        <Page key={active.id} />
      </main>
      <ConfirmDialog />
      <ShortcutHelp pages={pages} />
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
  const { page, id, query } = route.value
  const found: ConsolePage | undefined = pages.find(({ path }) => path === page)
  if (found !== undefined && id === null) {
    return <found.Page client={api} profileId={profile.value?.id ?? ''} query={query} />
  }
  if (found?.item !== undefined && id !== null) {
    return <found.item.Page key={id} client={api} id={id} />
  }
  return (
    <div class="instead column middle">
      <h1>No such page</h1>
      <p>This console has no page {id === null ? page : `${page}/${id}`}.</p>
      <a class="button" href={href({ page: 'commands' })}>
        Commands
      </a>
    </div>
  )
}
