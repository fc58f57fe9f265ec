// The shell of the page for the times when the server is away. The server is asked first, always: what it serves is
// what the program contains; the copy is for nothing but an answer that does not come. Games are never kept here.

const SHELL = "hegemon-shell";

/** Keeps the page and every file that it names, so that the shell opens after a single visit. */
async function keepShell() {
  const cache = await caches.open(SHELL);
  const page = await fetch("./");
  const named = [...(await page.clone().text()).matchAll(/ (?:src|href)="\.\/([^"]+)"/g)].map((match) => match[1]);
  await cache.put("./", page);
  await cache.addAll([...new Set(named)]);
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function fresh(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOurs = origin === self.location.origin && !pathname.startsWith("/api/");
  if (isOurs && event.request.method === "GET") event.respondWith(fresh(event.request));
});
