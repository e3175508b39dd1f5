import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { Appearance } from './appearance.tsx'
import { ProfileList } from './profile-list.tsx'
import { StorageCheck } from './storage-check.tsx'
import { StoredHere } from './stored-here.tsx'
import { SignIn } from '../sign-in/sign-in.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'

export function SettingsPage({ client }: { readonly client: Client }) {
  const isAdding = useSignal(false)
  return (
    <>
      <header class="page-head row">
        <h1>Settings</h1>
      </header>
      <div class="settings column">
        <section class="card frame wide column" aria-labelledby="settings-profiles">
          <h2 id="settings-profiles">Profiles</h2>
          <ProfileList />
          {isAdding.value ? (
            <SignIn done={() => (isAdding.value = false)} />
          ) : (
            <div class="actions">
              <Button onClick={() => (isAdding.value = true)}>Add a key</Button>
            </div>
          )}
        </section>
        <section class="card frame wide column" aria-labelledby="settings-appearance">
          <h2 id="settings-appearance">Appearance</h2>
          <Appearance />
        </section>
        <section class="card frame wide column" aria-labelledby="settings-storage">
          <h2 id="settings-storage">Storage</h2>
          <StorageCheck client={client} />
        </section>
        <section class="card frame wide column" aria-labelledby="settings-stored">
          <h2 id="settings-stored">Stored in this browser</h2>
          <StoredHere />
        </section>
      </div>
    </>
  )
}
