import { describe, expect, it } from "vitest";
import type { ToClient } from "../lib/wire";
import { SeatSocket, socketAddress, together, type Link, type SocketLike } from "./socket";

class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: string[] = [];
  isClosed = false;
  constructor(readonly address: string) {}
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  say(message: ToClient): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function setUp(refusal: { code: string; message: string } | null = null) {
  const opened: FakeSocket[] = [];
  const heard: ToClient[] = [];
  const links: Link[] = [];
  const asked: string[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const socket = new SeatSocket(
    (from) => socketAddress("http://here:1", "g1", "t", from),
    null,
    (message) => heard.push(message),
    (link) => links.push(link),
    (address) => {
      opened.push(new FakeSocket(address));
      return opened.at(-1)!;
    },
    { setTimeout: (run, ms) => timers.push({ run, ms }), clearTimeout: () => undefined },
    async (address) => {
      asked.push(address);
      return refusal;
    },
  );
  return { socket, opened, heard, links, timers, asked };
}

const events = (...seqs: number[]): ToClient => ({ type: "events", events: seqs.map((seq) => ({ seq }) as never) });

describe("a seat's socket", () => {
  it("speaks to the page's own origin", () => {
    expect(socketAddress("https://a.b", "x/y", null, null)).toBe("wss://a.b/api/games/x%2Fy/socket");
    expect(setUp().opened[0]!.address).toBe("ws://here:1/api/games/g1/socket?token=t");
  });

  it("asks for everything where the game is shown from its start", () => {
    expect(socketAddress("http://a", "g", null, 0)).toBe("ws://a/api/games/g/socket?from=0");
  });

  it("resumes after the last event it has seen", () => {
    const { opened, timers } = setUp();
    opened[0]!.onopen?.();
    opened[0]!.say(events(1, 2, 7));
    opened[0]!.onclose?.();
    timers.at(-1)!.run();
    expect(opened[1]!.address).toContain("from=7");
  });

  it("waits longer after each failure, and not for ever", () => {
    const { opened, timers } = setUp();
    for (let i = 0; i < 8; i += 1) {
      opened.at(-1)!.onclose?.();
      timers.at(-1)!.run();
    }
    const waits = timers.map(({ ms }) => ms);
    expect(waits.slice(0, 3)).toEqual([250, 500, 1000]);
    expect(Math.max(...waits)).toBe(5000);
  });

  it("does not fight for a seat that was opened elsewhere", () => {
    const { opened, timers, links, heard } = setUp();
    opened[0]!.onopen?.();
    const n = timers.length;
    opened[0]!.say({ type: "error", code: "replaced", message: "Opened elsewhere.", id: null });
    opened[0]!.onclose?.();
    expect(heard).toHaveLength(1);
    expect(links.at(-1)).toBe("closed");
    expect(timers).toHaveLength(n);
  });

  it("is opened anew when a ping has no answer, and only then", () => {
    const { opened, timers, links } = setUp();
    opened[0]!.onopen?.();
    const beat = () => timers.at(-1)!.run();
    beat();
    expect(opened[0]!.sent).toEqual(['{"type":"ping"}']);
    opened[0]!.say({ type: "pong" });
    beat();
    expect([links.at(-1), opened[0]!.sent.length]).toEqual(["open", 2]);
    beat();
    expect([links.at(-1), opened[0]!.isClosed]).toEqual(["lost", true]);
    beat();
    opened[1]!.onopen?.();
    expect([links.at(-1), opened.length]).toEqual(["open", 2]);
    // The end of the old one comes late, and means nothing.
    opened[0]!.onclose?.();
    expect(links.at(-1)).toBe("open");
  });

  it("asks why it was refused, and gives up if there is no hope", async () => {
    const hopeless = setUp({ code: "wrong-token", message: "No seat." });
    hopeless.opened[0]!.onclose?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(hopeless.asked).toEqual(["http://here:1/api/games/g1/socket?token=t"]);
    expect(hopeless.heard).toMatchObject([{ type: "error", message: "No seat." }]);
    expect(hopeless.links.at(-1)).toBe("closed");
    const dropped = setUp({ code: "wrong-token", message: "" });
    dropped.opened[0]!.onopen?.();
    dropped.opened[0]!.onclose?.();
    expect(dropped.asked).toEqual([]);
  });

  it("is together with others as good as the worst of them", () => {
    expect(together(["open", "open"])).toBe("open");
    expect(together(["open", "connecting"])).toBe("connecting");
    expect(together(["lost", "connecting", "open"])).toBe("lost");
    expect(together(["lost", "closed"])).toBe("closed");
  });

  it("says whether a message could be sent", () => {
    const { socket, opened } = setUp();
    expect(socket.send({ type: "ping" })).toBe(false);
    opened[0]!.onopen?.();
    expect(socket.send({ type: "ping" })).toBe(true);
    expect(opened[0]!.sent).toEqual(['{"type":"ping"}']);
  });
});
