// A record opened from a file: kept for the replay page of this tab.

import type { Replay } from "../lib/wire";

let opened: { replay: Replay; name: string; text: string } | null = null;

export const keepUpload = (replay: Replay, name: string, text: string): void => {
  opened = { replay, name, text };
};

export const upload = (): typeof opened => opened;
