/** How long a signed URL can open a private file, in words by seconds. */
export const lifetimes: Readonly<Record<string, string>> = {
  900: '15 minutes',
  3600: '1 hour',
  86400: '1 day',
  604800: '7 days',
}

export const usualLifetime = '3600'
