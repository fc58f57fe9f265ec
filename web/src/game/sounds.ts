// Which sound goes with an event.

import type { Sound } from "../lib/sound";
import type { Frame, GameEvent } from "../lib/wire";

export function soundOf(event: GameEvent, before: Frame | null): Sound | null {
  switch (event.kind) {
    case "dice": {
      const gone = before?.owners.find((owner) => owner >= 0 && !event.after.owners.includes(owner));
      if (gone !== undefined) return "elimination";
      const isConquest = event.after.owners.some((owner, territory) => before !== null && owner !== before.owners[territory]);
      return isConquest ? "conquest" : "dice";
    }
    case "card":
      return "card";
    case "move":
      return /^[pf]/.test(event.move ?? "") ? "place" : event.move?.startsWith("t") ? "card" : null;
    default:
      return null;
  }
}
