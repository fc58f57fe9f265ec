// One WebSocket of one seat (or of a watcher) that comes back after a dropped connection.

import type { Refusal } from "../lib/api";
import type { FromClient, ToClient } from "../lib/wire";

export type Link = "connecting" | "open" | "lost" | "closed";

/** The state of several connections together: that of the worst. */
export const together = (links: Iterable<Link>): Link => {
  const all = [...links];
  return (["closed", "lost", "connecting"] as const).find((link) => all.includes(link)) ?? "open";
};

export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Clock {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const PING_EVERY = 20_000;

/** Errors after which a new attempt would meet the same answer. */
const FINAL = ["replaced", "not-found", "wrong-token"];

/** Asks why a socket was refused, which a browser does not tell; `null` if it is worth another attempt. */
export type Probe = (address: string) => Promise<Refusal | null>;

export class SeatSocket {
  private socket: SocketLike | null = null;
  private wait = FIRST_WAIT;
  private timer: unknown = null;
  private ping: unknown = null;
  /** Whether anything came since the last ping. */
  private isHeard = true;
  private isOver = false;

  constructor(
    private readonly address: (from: number | null) => string,
    /** The last event seen; `null` to be shown the latest ones only. */
    private last: number | null,
    private readonly onMessage: (message: ToClient) => void,
    private readonly onLink: (link: Link) => void,
    private readonly open: (address: string) => SocketLike,
    private readonly clock: Clock,
    private readonly probe: Probe,
  ) {
    this.onLink("connecting");
    this.connect();
  }

  send(message: FromClient): boolean {
    if (this.socket === null) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.isOver = true;
    this.clock.clearTimeout(this.timer);
    this.clock.clearTimeout(this.ping);
    this.socket?.close();
    this.socket = null;
  }

  private connect(): void {
    const address = this.address(this.last);
    const socket = this.open(address);
    let hasOpened = false;
    socket.onopen = () => {
      if (this.isOver) return socket.close();
      hasOpened = true;
      this.socket = socket;
      this.wait = FIRST_WAIT;
      this.isHeard = true;
      this.onLink("open");
      this.keepAlive();
    };
    socket.onmessage = (event) => {
      this.isHeard = true;
      if (!this.isOver) this.receive(String(event.data));
    };
    socket.onclose = () => {
      this.reconnectLater();
      if (!hasOpened) void this.askWhy(address);
    };
  }

  private async askWhy(address: string): Promise<void> {
    const fault = await this.probe(address.replace(/^ws/, "http"));
    if (fault !== null && !this.isOver) this.receive(JSON.stringify({ type: "error", ...fault }));
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as ToClient;
    if (message.type === "events") this.last = Math.max(this.last ?? 0, message.events.at(-1)?.seq ?? 0);
    if (message.type === "error" && FINAL.includes(message.code)) {
      this.onMessage(message);
      this.close();
      this.onLink("closed");
      return;
    }
    this.onMessage(message);
  }

  private reconnectLater(): void {
    this.socket = null;
    this.clock.clearTimeout(this.ping);
    if (this.isOver) return;
    this.onLink("lost");
    this.timer = this.clock.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private keepAlive(): void {
    this.ping = this.clock.setTimeout(() => {
      if (!this.isHeard) return this.abandon();
      this.isHeard = false;
      if (this.send({ type: "ping" })) this.keepAlive();
    }, PING_EVERY);
  }

  /** A connection may die without a word, as where a phone changes its network: a ping without any answer tells. */
  private abandon(): void {
    const { socket } = this;
    if (socket !== null) socket.onmessage = socket.onclose = null;
    socket?.close();
    this.reconnectLater();
  }
}

/** The address of a game's socket on the page's own origin. */
export function socketAddress(origin: string, id: string, token: string | null, from: number | null): string {
  const parameters = new URLSearchParams();
  if (token !== null) parameters.set("token", token);
  if (from !== null) parameters.set("from", String(from));
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return `${origin.replace(/^http/, "ws")}/api/games/${encodeURIComponent(id)}/socket${search}`;
}
