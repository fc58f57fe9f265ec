// What a click on the sheet does.

export const TOOLS = ["place", "connect", "move", "draw"] as const;
export type Tool = (typeof TOOLS)[number];
