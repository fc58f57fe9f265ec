// Which address an invitation names: one that others can reach, where there is one.

import type { Reach } from "../lib/wire";

const isLoopback = (origin: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin);

/** Origins for links, best first. The page's own is the best unless it is this machine's name for itself. */
export function invitationOrigins(own: string, reach: Reach | null): string[] {
  const others = reach?.addresses ?? [];
  const all = isLoopback(own) ? [...others, own] : [own, ...others];
  return [...new Set(all)].filter((origin) => !isLoopback(origin) || others.length === 0);
}
