/** Secrets that sign for an account: the current one, and those retired within the last day. */
export function signingSecrets(account: string): string {
  return `array(
    select s.secret from webhook_secrets s
    where s.account_id = ${account}
      and (s.retired_at is null or s.retired_at > now() - interval '1 day')
    order by s.retired_at desc nulls first limit ${mostSecrets}
  )`
}

/** Each is one more signature in a header; nobody rotates so often for a good reason. */
const mostSecrets = 5

export const webhookColumns = `
  w.url, w.events, w.created_at as "createdAt", ${signingSecrets('w.account_id')} as secrets`
