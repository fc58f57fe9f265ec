// Every request of the page; all of them go to its own origin.

import { t } from "./texts";
import type {
  About,
  AnalysisLevel,
  AnalysisState,
  Arena,
  ArenaGame,
  BattleOdds,
  BotInfo,
  CampaignOdds,
  CampaignRequest,
  ChainOdds,
  CreatedGame,
  ErrorOutput,
  GameHint,
  GameMap,
  GameLine,
  HintRequest,
  Hints,
  Level,
  MapCheck,
  MapLine,
  MapTrial,
  NeedOdds,
  GameRequest,
  Position,
  PositionRequest,
  Puzzle,
  RematchRequest,
  Replay,
  RulesPreset,
  SentRecord,
  Threat,
  ThreatRequest,
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

/** How often a question is asked again while the server is busy, and after how many milliseconds. */
const BUSY_TRIES = 8;
const BUSY_MS = 500;

/** The answer to a request. A question is asked again while the server works on others of this client. */
async function request<T>(path: string, init?: RequestInit): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await requestOnce<T>(path, init);
    } catch (error) {
      const isBusy = init === undefined && error instanceof ApiError && error.code === "busy";
      if (!isBusy || tries === BUSY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  }
}

async function requestOnce<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError("offline", t("app.offline"));
  }
  if (answer.status === 204) return null as T;
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

const postJson = (body: unknown): RequestInit => post(JSON.stringify(body), "application/json");

const analysisUrl = (id: string, level: AnalysisLevel): string => `/api/games/${encodeURIComponent(id)}/analysis?${query({ level })}`;

export const api = {
  maps: () => request<{ name: string; n_territories: number; n_continents: number }[]>("/api/maps"),
  map: (name: string) => request<GameMap>(`/api/maps/${encodeURIComponent(name)}`),
  /** Offers a map of one's own; the error has a line for each fault. */
  sendMap: (text: string) => request<MapLine>("/api/maps", post(text, "application/json")),
  checkMap: (text: string) => request<MapCheck>("/api/maps/check", post(text, "application/json")),
  tryMap: (text: string, players: number, rules: string) => request<MapTrial>(`/api/maps/trial?${query({ players, rules })}`, post(text, "application/json")),
  /** What programs of the host wrote to their error output; nothing on other machines. */
  errorOutput: (id: string) => request<ErrorOutput[]>(`/api/games/${encodeURIComponent(id)}/error-output`),
  hostBots: () => request<string[]>("/api/host-bots"),
  records: () => request<string[]>("/api/records"),
  recordReplay: (name: string) => request<Replay>(`/api/records/${encodeURIComponent(name)}/replay`),
  rules: () => request<RulesPreset[]>("/api/rules"),
  bots: () => request<BotInfo[]>("/api/bots"),
  levels: () => request<Level[]>("/api/levels"),
  about: () => request<About>("/api/about"),
  games: (wanted: { before?: string | undefined; search?: string | undefined; over?: string | undefined } = {}) => request<GameLine[]>(`/api/games?${query(wanted)}`),
  /** Removes a game for good; the tokens are those of all its people. */
  remove: (id: string, tokens: string[]) =>
    request<null>(`/api/games/${encodeURIComponent(id)}`, { method: "DELETE", body: JSON.stringify({ tokens }), headers: { "content-type": "application/json" } }),
  /** The same game with another seed; several people have one rematch together. */
  rematch: (id: string, asks: RematchRequest) => request<CreatedGame>(`/api/games/${encodeURIComponent(id)}/rematch`, postJson(asks)),
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
  arenaGames: (a: string, b: string) => request<ArenaGame[]>(`/api/arena/games?${query({ a, b })}`),
  arenaReplay: (id: string) => request<Replay>(`/api/arena/games/${encodeURIComponent(id)}/replay`),

  analysis: (id: string, level: AnalysisLevel) => request<AnalysisState>(analysisUrl(id, level)),
  analyse: (id: string, level: AnalysisLevel) => request<AnalysisState>(analysisUrl(id, level), { method: "POST" }),
  analyseRecord: (record: string, level: AnalysisLevel) => request<SentRecord>(`/api/analysis?${query({ level })}`, post(record, "text/plain")),
  cancelAnalysis: (id: string, level: AnalysisLevel) => request<AnalysisState>(analysisUrl(id, level), { method: "DELETE" }),
  gameHint: (id: string, token: string, level: AnalysisLevel) =>
    request<GameHint>(`/api/games/${encodeURIComponent(id)}/hint`, postJson({ token, level })),
  positionOf: (id: string, frame: number) => request<Position>(`/api/games/${encodeURIComponent(id)}/position?${query({ frame })}`),
  positionInRecord: (record: string, frame: number) => request<Position>(`/api/replay/position?${query({ frame })}`, post(record, "text/plain")),
  position: (position: PositionRequest) => request<Position>("/api/position", postJson(position)),
  hint: (question: HintRequest) => request<Hints>("/api/hint", postJson(question)),
  threat: (question: ThreatRequest) => request<Threat>("/api/threat", postJson(question)),
  campaign: (question: CampaignRequest) => request<CampaignOdds>("/api/odds/campaign", postJson(question)),
  puzzles: () => request<Puzzle[]>("/api/puzzles"),
};
