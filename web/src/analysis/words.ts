// Win chance in points: hundredths of a win.

export const points = (share: number): string => (100 * share).toFixed(1);

/** With its sign. */
export const signedPoints = (share: number): string => {
  const text = (100 * Math.abs(share)).toFixed(1);
  return Number(text) === 0 ? text : `${share < 0 ? "−" : "+"}${text}`;
};
