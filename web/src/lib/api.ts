// Every request of the page; all of them go to its own origin.

import { t } from "./texts";
import type {
  Arena,
  BattleOdds,
  BotInfo,
  ChainOdds,
  CreatedGame,
  GameMap,
  GameLine,
  Level,
  NeedOdds,
  GameRequest,
  Replay,
  RulesPreset,
} from "./wire";

/** A sentence of the server, or one about the connection. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Refusal {
  code: string;
  message: string;
}

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError("offline", t("app.offline"));
  }
  const text = await answer.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Handled below: neither an error of ours nor an answer.
  }
  if (!answer.ok) {
    const error = (body as { error?: { code: string; message: string } } | null)?.error;
    throw new ApiError(error?.code ?? String(answer.status), error?.message ?? t("app.status", { n: answer.status }));
  }
  if (body === null) throw new ApiError("garbled", t("app.garbled"));
  return body as T;
}

const query = (values: Record<string, string | number | undefined>): string => {
  const pairs = Object.entries(values).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
};

const post = (body: string, type: string): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": type },
});

export const api = {
  maps: () => request<{ name: string; n_territories: number; n_continents: number }[]>("/api/maps"),
  map: (name: string) => request<GameMap>(`/api/maps/${encodeURIComponent(name)}`),
  rules: () => request<RulesPreset[]>("/api/rules"),
  bots: () => request<BotInfo[]>("/api/bots"),
  levels: () => request<Level[]>("/api/levels"),
  games: (before?: string) => request<GameLine[]>(`/api/games?${query({ before })}`),
  create: (game: GameRequest) => request<CreatedGame>("/api/games", post(JSON.stringify(game), "application/json")),
  replay: (id: string) => request<Replay>(`/api/games/${encodeURIComponent(id)}/replay`),
  verify: (record: string) => request<Replay>("/api/replay", post(record, "text/plain")),
  recordUrl: (id: string) => `/api/games/${encodeURIComponent(id)}/record`,
  battle: (attackers: number, defenders: number, law: { rules?: string; game?: string; reserve?: number; once?: "true"; capital?: "true" }) =>
    request<BattleOdds>(`/api/odds/battle?${query({ attackers, defenders, ...law })}`),
  chain: (attackers: number, defenders: string, rules?: string) =>
    request<ChainOdds>(`/api/odds/chain?${query({ attackers, defenders, rules })}`),
  need: (defenders: number, chance: number, rules?: string) =>
    request<NeedOdds>(`/api/odds/need?${query({ defenders, chance, rules })}`),
  /** Why a game's address refuses a socket, which a browser does not tell; `null` if the server is away. */
  async refusal(address: string): Promise<Refusal | null> {
    for (const asked of [address, address.replace(/\/socket.*/, "")]) {
      const fault = await request(asked).then(
        () => null,
        ({ code, message }: ApiError) => ({ code, message }),
      );
      if (fault?.code === "offline") return null;
      if (fault?.code === "not-found" || fault?.code === "wrong-token") return fault;
    }
    return { code: "refused", message: t("app.refused") };
  },
  arena: () => request<Arena>("/api/arena"),
};
