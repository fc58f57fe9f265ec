// The shell of the page for the times when the server is away. The server is asked first, always: what it serves is
// what the program contains; the copy is for nothing but an answer that does not come. Games are never kept here.

const SHELL = "hegemon-shell";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(["./", "icon.svg", "manifest.webmanifest"])));
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
