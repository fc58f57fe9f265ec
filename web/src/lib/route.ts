// Hash routes: `#/game/ID?token=T`. The part after `#` never reaches a server's log.

export type Route =
  | { page: "new"; map: string | null }
  | { page: "first" }
  | { page: "game"; id: string; token: string | null }
  | { page: "watch" }
  | { page: "replay"; id: string; frame: number | null }
  | { page: "arena"; pair: [string, string] | null }
  | { page: "records" }
  | { page: "maps" }
  | { page: "odds" }
  | { page: "editor"; at: EditorLink }
  | { page: "trainer" }
  | { page: "missing"; path: string };

/** A position that a link carries; what is left out is as the editor begins. */
export interface EditorLink {
  map: string | null;
  /** Name of a preset, or all rules as JSON. */
  rules: string | null;
  players: number | null;
  position: string | null;
  /** Whether it was cut or changed on its way, so that it is about nothing any more. */
  isDamaged: boolean;
}

/** Begins the replay of a file that the host offers. */
export const OF_HOST = "file:";

/** Begins the replay of a game of the arena's pool. */
export const OF_ARENA = "arena:";

/** The replay of a file that was opened on this page. */
export const UPLOADED = "file";

/** Parts of a path as they were before they were put into a link; `null` if no link has such a text. */
function decoded(path: string): string[] | null {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parameters = new URLSearchParams(search);
  const parts = decoded(path);
  if (parts === null) return { page: "missing", path };
  const [page = "", id = ""] = parts;
  if (page === "" || page === "new") return { page: "new", map: parameters.get("map") };
  if (page === "first" || page === "watch" || page === "odds" || page === "records" || page === "maps" || page === "trainer") return { page };
  if (page === "arena") {
    const [a, b] = [parameters.get("a"), parameters.get("b")];
    return { page, pair: a === null || b === null ? null : [a, b] };
  }
  if (page === "editor") return { page, at: editorLink(parameters) };
  if (page === "game" && id !== "") return { page, id, token: parameters.get("token") };
  if (page === "replay" && id !== "") {
    const frame = Number.parseInt(parameters.get("frame") ?? "", 10);
    return { page, id, frame: Number.isNaN(frame) ? null : frame };
  }
  return { page: "missing", path };
}

/** A new game on this map. */
export const newGameHash = (map: string): string => `#/new?${new URLSearchParams({ map })}`;

/** The arena with the games of two bots. */
export const pairHash = (a: string, b: string): string => `#/arena?${new URLSearchParams({ a, b })}`;

export const gameHash = (id: string, token?: string): string =>
  `#/game/${encodeURIComponent(id)}${token === undefined ? "" : `?token=${encodeURIComponent(token)}`}`;

export const replayHash = (id: string, frame?: number): string =>
  `#/replay/${encodeURIComponent(id)}${frame === undefined ? "" : `?frame=${frame}`}`;

/** Tells whether a link is whole (FNV-1a). A link that was made by hand needs none. */
function checkOf(...parts: (string | null)[]): string {
  let hash = 0x811c9dc5;
  for (const letter of parts.join("\n")) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(36);
}

function editorLink(parameters: URLSearchParams): EditorLink {
  const [map, rules, players, position, check] = [parameters.get("map"), parameters.get("rules"), parameters.get("players"), parameters.get("position"), parameters.get("check")];
  const isCountable = players === null || /^[2-6]$/.test(players);
  const isDamaged = !isCountable || (check !== null && check !== checkOf(map, rules, players, position));
  return { map, rules, players: isCountable && players !== null ? Number(players) : null, position, isDamaged };
}

/** The check comes first: of a link that is cut it is the last to go. */
export function editorHash(at: { map: string; rules: string; players: number; position: string }): string {
  const players = String(at.players);
  return `#/editor?${new URLSearchParams({ check: checkOf(at.map, at.rules, players, at.position), map: at.map, rules: at.rules, players, position: at.position })}`;
}
