import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "./api";

/** The server's answers by path; a path that is not there cannot be reached. */
function serve(answers: Record<string, [number, unknown]>): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const answer = answers[address.replace(/\?.*/, "")];
    if (answer === undefined) throw new TypeError("no connection");
    return new Response(typeof answer[1] === "string" ? answer[1] : JSON.stringify(answer[1]), { status: answer[0] });
  });
}
const fault = (code: string, message = "") => ({ error: { code, message } });
afterEach(() => vi.unstubAllGlobals());

describe("requests", () => {
  it("give the server's sentence, or one about the connection", async () => {
    serve({ "/api/maps": [200, []], "/api/rules": [400, fault("bad-query", "Wrong.")], "/api/bots": [502, "oops"], "/api/levels": [200, "oops"] });
    expect(await api.maps()).toEqual([]);
    await expect(api.rules()).rejects.toMatchObject(new ApiError("bad-query", "Wrong."));
    await expect(api.bots()).rejects.toThrow("status 502");
    await expect(api.levels()).rejects.toThrow("could not be read");
    await expect(api.arena()).rejects.toThrow("does not answer");
  });
});

describe("a busy server", () => {
  afterEach(() => vi.useRealTimers());

  it("is asked again", async () => {
    vi.useFakeTimers();
    const answers: Record<string, [number, unknown]> = { "/api/maps": [503, fault("busy", "Wait.")] };
    serve(answers);
    const asked = api.maps();
    await vi.advanceTimersByTimeAsync(600);
    answers["/api/maps"] = [200, []];
    await vi.advanceTimersByTimeAsync(600);
    expect(await asked).toEqual([]);
  });
});

describe("a refused socket", () => {
  const why = () => api.refusal("/api/games/g/socket?token=t");

  it("is explained by the socket's address or by the game's", async () => {
    serve({ "/api/games/g/socket": [403, fault("wrong-token", "No seat.")] });
    expect(await why()).toEqual({ code: "wrong-token", message: "No seat." });
    serve({ "/api/games/g/socket": [426, fault("no-socket")], "/api/games/g": [404, fault("not-found", "No game.")] });
    expect(await why()).toEqual({ code: "not-found", message: "No game." });
    serve({ "/api/games/g/socket": [426, fault("no-socket")], "/api/games/g": [200, {}] });
    expect((await why())?.code).toBe("refused");
  });

  it("is nobody's fault while the server is away", async () => {
    serve({});
    expect(await why()).toBeNull();
  });
});
